"""A Result as an xarray Dataset with labels and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiloop.questions.answers.quantities import UNITS, Quantity, along, labels_of, quantities_of, units_of

if TYPE_CHECKING:
    import xarray as xr

    from multiloop.questions.answers.result import Result


def dataset_of(result: Result) -> xr.Dataset:
    """Forces, moments, loads over (time, joint, axis); rates and efforts over (time, coordinate).

    Positions have the dimensions (time, place), since a quaternion has four entries. Where angles and lengths are in
    one array, each column has its unit in `rate_units` etc. A quantity of a load or coupling is called "force return",
    its name last, with a space in place of a slash, which files do not accept. Forces that one-sided loads share have
    their ranges in "force_least rope" and "force_largest rope".
    """
    import xarray as xr

    variables: dict[str, Any] = {
        f"{one.name} {one.of}".rstrip().replace("/", " "): (("time", *one.dims), one.values, _attributes(one))
        for one in quantities_of(result)
    }
    variables["determined"] = ("joint", [joint.determined for joint in result.joints.values()])
    return xr.Dataset(
        variables,
        coords={
            "time": ("time", result.time, {"units": "s"}),
            **{name: [label.name for label in labels] for name, labels in labels_of(result).items()},
            **{f"{kind}_units": (along(kind), list(units_of(result, kind))) for kind in UNITS},
        },
        attrs=about(result),
    )


def about(result: Result) -> dict[str, str]:
    """Attributes of a result as a whole: mechanism, method, status and fingerprint."""
    mechanism = result.mechanism
    return {
        "mechanism": mechanism.name,
        "method": result.method,
        "status": result.status,
        "fingerprint": mechanism.fingerprint,
    }


def _attributes(quantity: Quantity) -> dict[str, str]:
    """The unit; all units that occur where columns differ."""
    units = (quantity.unit,) if isinstance(quantity.unit, str) else dict.fromkeys(quantity.unit)
    unit = " or ".join(filter(None, units))
    return {"units": unit} if unit else {}
