"""Results as labelled arrays with units, which other tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multiloop.questions.answers.quantities import UNITS, Quantity, along, labels_of, quantities_of, units_of

if TYPE_CHECKING:
    import xarray as xr

    from multiloop.questions.answers.result import Result


def dataset_of(result: Result) -> xr.Dataset:
    """Forces, moments, loads over (time, joint, axis); rates and efforts over (time, coordinate).

    Positions stand over (time, place), since a quaternion has four of them. Where angles and lengths stand side by
    side, each column has its unit in `rate_units` and its like. What a load or coupling tells is called
    "force return", its name last, and with a space for a slash, which files do not take. Forces that one-sided loads
    share have their ranges beside them, "force_least rope" and "force_largest rope".
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
    """What is to be known of a whole result by whoever finds its numbers in a file."""
    mechanism = result.mechanism
    return {
        "mechanism": mechanism.name,
        "method": result.method,
        "status": result.status,
        "fingerprint": mechanism.fingerprint,
    }


def _attributes(quantity: Quantity) -> dict[str, str]:
    """Its unit, all that occur where its columns differ."""
    units = (quantity.unit,) if isinstance(quantity.unit, str) else dict.fromkeys(quantity.unit)
    unit = " or ".join(filter(None, units))
    return {"units": unit} if unit else {}
