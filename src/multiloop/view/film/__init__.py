"""Films: a result in motion, as a page for the browser, a GIF or an MP4."""

from multiloop.view.film.film import film_result

__all__ = ["film_result"]
