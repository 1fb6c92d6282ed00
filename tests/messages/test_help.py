"""The help texts as users read them; the words are pinned, the frame that the option parser puts round them is not."""

import re

import pytest
from typer.testing import CliRunner

from multiloop.cli.application import application

HELP = {
    "": """\
Usage: multiloop [OPTIONS] COMMAND [ARGS]...

  Dynamics of mechanisms with closed kinematic loops.

  A mechanism FILE is JSON or YAML; `multiloop examples NAME --save FILE` writes one to
  begin with.

Options:
  --version   Print the version and leave.
  -h, --help  Show this message and exit.

Commands:
  check     Read and assemble mechanisms, and tell every fault.
  explain   Print what moves, what drives it, and what is not determined.
  inverse   Print the largest efforts and joint loads over the motion.
  simulate  Let the mechanism move, and print where it ends.
  draw      Draw the mechanism at its assembled pose, drives at t = 0.
  plot      Plot the motion along the drives, or let go.
  film      Film the motion along the drives, or let go.
  examples  List the examples, or run one and print its answer.
  schema    Write a JSON Schema of mechanism files.
  cache    Show, bound or clear the folder in which built kernels are kept.
""",
    "explain": """\
Usage: multiloop explain [OPTIONS] FILE

  Print what moves, what drives it, and what is not determined.

  Then how it is solved: tree, cuts, order.

Arguments:
  FILE  The mechanism, a .json, .yaml or .yml file.  [required]

Options:
  --cuts A,B       Joints at which to open the loops, instead of the cheapest.
  --guess NAME=N,N  Rough values for a joint, body or marker, instead of the file's guess;
                   may be repeated. The word none leaves a value open.
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  --draw PLAN.png  Also draw the plan into this file.
  -h, --help       Show this message and exit.
""",
    "inverse": """\
Usage: multiloop inverse [OPTIONS] FILE

  Print the largest efforts and joint loads over the motion.

Arguments:
  FILE  The mechanism, a .json, .yaml or .yml file.  [required]

Options:
  --cycle N        Instants over one cycle of drives and loads, both ends included.
                   [default: 361; x>=2]
  --turns N        Turns of the first drive to take instead of one cycle.
  --until SECONDS  Go from 0 to this time instead of over one cycle.
  --guess NAME=N,N  Rough values for a joint, body or marker, instead of the file's guess;
                   may be repeated. The word none leaves a value open.
  --start NAME=N,N  Where a joint, body or marker begins; may be repeated. The word relaxed
                   begins with links bent as their forces bend them.
  --rates NAME=N,N  How fast a joint begins, in rad/s or m/s; may be repeated.
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  --elastic stable  Links bend: find the motion that stays bounded, from rest to rest or over
                   a cycle.
  --plot OUT.png   Also plot efforts and loads into this file.
  --csv OUT.csv    Also write a table, one row per instant.
  --save OUT.nc    Also save everything as netCDF.
  -h, --help       Show this message and exit.
""",
    "draw": """\
Usage: multiloop draw [OPTIONS] FILE OUT.png

  Draw the mechanism at its assembled pose, drives at t = 0.

Arguments:
  FILE     The mechanism, a .json, .yaml or .yml file.  [required]
  OUT.png  The picture: .png, .pdf, .svg, .jpg.  [required]

Options:
  --guess NAME=N,N  Rough values for a joint, body or marker, instead of the file's guess;
                   may be repeated. The word none leaves a value open.
  --start NAME=N,N  Where a joint, body or marker begins; may be repeated. The word relaxed
                   begins with links bent as their forces bend them.
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  --scale TIMES    How many times as far as they bend links are shown bent.  [default: 1.0]
  -h, --help  Show this message and exit.
""",
    "check": """\
Usage: multiloop check [OPTIONS] FILE...

  Read and assemble mechanisms, and tell every fault.

  The exit code is 1 where there is one.

Arguments:
  FILE <list[Path]>  Mechanisms, .json, .yaml or .yml files.  [required]

Options:
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  -h, --help  Show this message and exit.
""",
    "simulate": """\
Usage: multiloop simulate [OPTIONS] FILE

  Let the mechanism move, and print where it ends.

  Largest joint loads are printed too, how links bend, and how well energy is kept. A
  mechanism without drives needs --until.

Arguments:
  FILE  The mechanism, a .json, .yaml or .yml file.  [required]

Options:
  --until SECONDS  Go from 0 to this time instead of over one cycle.
  --start NAME=N,N  Where a joint, body or marker begins; may be repeated. The word relaxed
                   begins with links bent as their forces bend them.
  --rates NAME=N,N  How fast a joint begins, in rad/s or m/s; may be repeated.
  --guess NAME=N,N  Rough values for a joint, body or marker, instead of the file's guess;
                   may be repeated. The word none leaves a value open.
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  --outputs N       Instants to record.  [default: 501; x>=2]
  --method NAME     The forward method.  [default: sslm]
  --integrator NAME  dop853, rk45, rk4, implicit, imex or gear.  [default: dop853]
  --step SECONDS   The step of rk4.
  --rtol PART      Relative tolerance.  [default: 1e-10]
  --plot OUT.png   Also plot efforts and loads into this file.
  --csv OUT.csv    Also write a table, one row per instant.
  --save OUT.nc    Also save everything as netCDF.
  -h, --help       Show this message and exit.
""",
    "plot": """\
Usage: multiloop plot [OPTIONS] FILE OUT.png

  Plot the motion along the drives, or let go.

  A mechanism without drives is let go from its start, and needs --until. Links that
  bend begin undeformed.

Arguments:
  FILE     The mechanism, a .json, .yaml or .yml file.  [required]
  OUT.png  The picture: .png, .pdf, .svg, .jpg.  [required]

Options:
  --show WHAT      What to plot; may be repeated: positions, speeds, accelerations, efforts,
                   loads, moments, forces, polar, energy, power, hodograph, paths, deflection,
                   moment, stress.
  --of NAME        A joint, a marker body.marker, or a link that bends, to plot instead of the usual
                   ones; may be repeated.
  --over NAME      What the curves run over: time, or a joint.
  --units UNIT     A unit of the axes, e.g. kN, rpm, mm; may be repeated.
  --cycle N        Instants over one cycle of drives and loads, both ends included.
                   [default: 361; x>=2]
  --turns N        Turns of the first drive to take instead of one cycle.
  --until SECONDS  Go from 0 to this time instead of over one cycle.
  --guess NAME=N,N  Rough values for a joint, body or marker, instead of the file's guess;
                   may be repeated. The word none leaves a value open.
  --start NAME=N,N  Where a joint, body or marker begins; may be repeated. The word relaxed
                   begins with links bent as their forces bend them.
  --rates NAME=N,N  How fast a joint begins, in rad/s or m/s; may be repeated.
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  -h, --help       Show this message and exit.
""",
    "film": """\
Usage: multiloop film [OPTIONS] FILE OUT.html

  Film the motion along the drives, or let go.

  A mechanism without drives is let go from its start, and needs --until. Links that
  bend begin undeformed, and are shown over a cycle or --until as they bend.

Arguments:
  FILE      The mechanism, a .json, .yaml or .yml file.  [required]
  OUT.html  The film: .html, .gif, .mp4.  [required]

Options:
  --cycle N        Instants over one cycle of drives and loads, both ends included.
                   [default: 361; x>=2]
  --turns N        Turns of the first drive to take instead of one cycle.
  --until SECONDS  Go from 0 to this time instead of over one cycle.
  --speed TIMES     Seconds of motion a second of film; short motions are slowed down without
                    it.
  --trace BODY.MARKER  A marker whose path is shown; may be repeated.
  --guess NAME=N,N  Rough values for a joint, body or marker, instead of the file's guess;
                   may be repeated. The word none leaves a value open.
  --start NAME=N,N  Where a joint, body or marker begins; may be repeated. The word relaxed
                   begins with links bent as their forces bend them.
  --rates NAME=N,N  How fast a joint begins, in rad/s or m/s; may be repeated.
  --set NAME=VALUE  The value of a parameter, in SI units or with its unit, e.g. L2=0.8 or
                   L2=800mm; may be repeated.
  --scale TIMES    How many times as far as they bend links are shown bent.  [default: 1.0]
  -h, --help       Show this message and exit.
""",
    "examples": """\
Usage: multiloop examples [OPTIONS] [NAME]

  List the examples, or run one and print its answer.

Arguments:
  NAME <str>  The example to run; all are listed without it.

Options:
  --save OUT.yaml  Also write its mechanism into this file, to go on with.
  -h, --help       Show this message and exit.
""",
    "cache": """\
Usage: multiloop cache [OPTIONS]

  Show, bound or clear the folder in which built kernels are kept.

Options:
  --limit MB  Keep at most so many megabytes from now on; the least recently used go first.
              [x>=1]
  --clear     Remove all that is kept.
  -h, --help  Show this message and exit.
""",
}


@pytest.mark.parametrize("command", HELP)
def test_help(command):
    shown = CliRunner().invoke(
        application(), [*command.split(), "--help"], terminal_width=80, prog_name="multiloop"
    )
    assert shown.exit_code == 0
    assert _words(shown.stdout) == _words(HELP[command])


def _words(text):
    """Line breaks, column widths and the marks of an argument's type are the option parser's."""
    return re.sub(r"[{}]| <path>", "", text).split()
