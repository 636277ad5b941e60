"""Kernels that are compiled apart from their callers, and not before a search needs them.

A kernel that is called by its name is compiled with its caller, in every caller, and whether or not
the search at hand ever comes there. One that is bound here is compiled by itself, for the values it
is bound to, and called by its address: its callers know nothing of these, and are compiled once.
"""

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import cfunc, config, njit, typeof, types
from numba._dispatcher import compute_fingerprint
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from pathprior.kernels.inner import entry
from pathprior.kernels.linking import entry_options, linking_options

Kernel = Callable[[Any, Any], float]
"""(pointer to what it is bound to, pointer to a tuple of arguments) → a number; see `load`."""


class Bound(NamedTuple):
    """A kernel and what it is bound to; not to be copied to another process."""

    address: Any  # of the kernel; where the JIT is off the kernel itself
    room: Any  # that holds what it is bound to; where the JIT is off the value itself


UNBOUND = Bound(0, np.empty(0, np.uint8))
"""In place of a kernel that is not needed, and never called."""


def bind(kernel: Kernel, value: Any, *arguments: Any) -> Bound:
    """Compile ``kernel`` for ``value`` and arguments of these numba types, and bind it.

    The arrays of ``value`` are borrowed, and live as long as the room.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return Bound(kernel, value)
    key = (kernel, compute_fingerprint(value))
    if key not in _KNOWN:
        _KNOWN[key] = _compile(kernel, typeof(value), arguments)  # type: ignore[no-untyped-call]
    known = _KNOWN[key]
    room = np.empty(known.size, np.uint8)
    known.store(value, room)
    weakref.finalize(room, id, value).atexit = False  # keeps the value, for which it does nothing
    return Bound(known.function.address, room)


class _Compiled(NamedTuple):
    function: Any  # the kernel as a function of two pointers
    store: Callable[[Any, NDArray[np.uint8]], None]  # puts what it is bound to into a room
    size: int  # of the room, in bytes


_KNOWN: dict[tuple[Kernel, bytes], _Compiled] = {}
"""What was compiled, by the kernel and the fingerprint of what it is bound to.

`numba.typeof` takes as long as a small search; of equal fingerprints the types are equal.
"""


def _compile(kernel: Kernel, value: Any, arguments: tuple[Any, ...]) -> _Compiled:
    """Compile for these types; kept on disk for classes of the package alone.

    Whoever cannot import another class could not read the compiler's index any more.
    """
    is_kept = value.instance_class.__module__.partition(".")[0] == __name__.partition(".")[0]
    context = cpu_target.target_context
    packed: Any = types.Tuple(arguments)  # type: ignore[no-untyped-call]
    signature = types.float64(types.CPointer(value), types.CPointer(packed))  # type: ignore[no-untyped-call]
    compile_it: Any = cfunc(signature, cache=is_kept, _nrt=False, **entry_options())  # type: ignore[call-arg]
    return _Compiled(
        compile_it(kernel),
        _store if is_kept else _store_unkept,
        context.get_abi_sizeof(context.get_data_type(value)),
    )


def call_bound(bound: Bound, arguments: tuple[Any, ...]) -> float:
    """Call a kernel; the arguments must be of the types that it was compiled for."""
    return float(bound.address(bound.room, arguments))


def load(pointer: Any) -> Any:
    """What a pointer points to."""
    return pointer


@overload(call_bound, jit_options=linking_options())  # type: ignore[arg-type]
def _call_bound(bound: Any, arguments: Any) -> Any:
    def implementation(bound: Any, arguments: Any) -> Any:
        return _call(bound.address, bound.room, arguments)  # type: ignore[call-arg]

    return implementation


@overload(load, jit_options=linking_options())  # type: ignore[arg-type]
def _load(pointer: Any) -> Any:
    def implementation(pointer: Any) -> Any:
        return _read(pointer)  # type: ignore[call-arg]

    return implementation


def _put(value: Any, room: NDArray[np.uint8]) -> None:
    _write(value, room)  # type: ignore[call-arg]


_store: Any = entry(_put)
_store_unkept: Any = njit(nogil=True)(_put)


@intrinsic
def _call(typing_context: Any, address: Any, room: Any, arguments: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = cgutils.alloca_once(builder, context.get_data_type(arguments))  # type: ignore[no-untyped-call]
        context.pack_value(builder, arguments, values[2], place)
        pointer = cgutils.voidptr_t
        function = ir.FunctionType(ir.DoubleType(), [pointer, pointer])
        return builder.call(
            builder.inttoptr(values[0], function.as_pointer()),
            [
                builder.bitcast(_data(context, builder, room, values[1]), pointer),
                builder.bitcast(place, pointer),
            ],
        )

    return types.float64(types.int64, room, arguments), lower


@intrinsic
def _read(typing_context: Any, pointer: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.unpack_value(builder, pointer.dtype, values[0])

    return pointer.dtype(pointer), lower


@intrinsic
def _write(typing_context: Any, value: Any, room: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.get_data_type(value).as_pointer()
        data = _data(context, builder, room, values[1])
        context.pack_value(builder, value, values[0], builder.bitcast(data, place))
        return context.get_dummy_value()

    return types.void(value, room), lower


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """The pointer to the first item of an array."""
    return context.make_array(array_type)(context, builder, array).data
