"""Films: animations of a result as an HTML page, a GIF or an MP4."""

from multiloop.view.film.film import film_result

__all__ = ["film_result"]
