"""Numbers, names and functions of the C library.

Written by "go run ./cmd/libsandtable/gen"; do not edit.
"""

from ctypes import c_int64, c_uint64, c_void_p
from typing import Any, Final

VERSION: Final = 1
PENDING: Final = 1 << 62

KINDS: Final = ("value", "illegal", "closed", "busy", "internal")
OUTPUTS: Final = ("obs", "bits", "list", "mask", "turns", "reward", "final_obs", "final_info")

# The arguments of each function; all return int64.
FUNCTIONS: Final[dict[str, tuple[Any, ...]]] = {
    "st_abi": (),
    "st_action_text": (c_int64, c_int64, c_void_p, c_int64),
    "st_agent": (c_int64, c_void_p, c_int64),
    "st_analyse": (c_int64, c_int64, c_int64),
    "st_apply": (c_int64, c_int64),
    "st_batch": (c_int64, c_void_p, c_int64, c_void_p, c_void_p, c_int64),
    "st_cancel": (c_int64,),
    "st_choose": (c_int64, c_int64),
    "st_clone": (c_int64,),
    "st_close": (c_int64,),
    "st_copy_from": (c_int64, c_int64),
    "st_describe": (c_int64, c_void_p, c_int64),
    "st_error": (c_int64, c_void_p, c_int64),
    "st_games": (c_void_p, c_int64),
    "st_hash": (c_int64, c_void_p),
    "st_image": (c_int64, c_int64, c_void_p, c_int64),
    "st_layout": (c_int64, c_void_p, c_int64, c_void_p, c_int64),
    "st_legal": (c_int64, c_void_p, c_int64),
    "st_live": (),
    "st_load": (c_void_p, c_int64),
    "st_load_batch": (c_int64, c_int64, c_void_p, c_int64),
    "st_loader": (c_void_p, c_int64),
    "st_loader_describe": (c_int64, c_void_p, c_int64),
    "st_loader_episodes": (c_int64, c_void_p, c_int64, c_void_p, c_int64),
    "st_loader_fill": (c_int64, c_void_p, c_void_p, c_int64),
    "st_loader_prepare": (c_int64, c_int64),
    "st_loader_refresh": (c_int64,),
    "st_loader_restore": (c_int64, c_void_p, c_int64),
    "st_loader_save": (c_int64, c_void_p, c_int64),
    "st_loader_sizes": (c_int64, c_void_p, c_int64),
    "st_loader_weights": (c_int64, c_void_p, c_int64),
    "st_mask": (c_int64, c_void_p, c_int64),
    "st_match": (c_int64, c_void_p, c_int64),
    "st_match_play": (c_int64,),
    "st_new_state": (c_int64, c_void_p, c_int64),
    "st_observe": (c_int64, c_int64, c_void_p, c_int64),
    "st_observe_bits": (c_int64, c_int64, c_void_p, c_int64, c_void_p, c_int64),
    "st_parse_action": (c_int64, c_void_p, c_int64),
    "st_pixels": (c_int64, c_int64, c_int64, c_int64, c_void_p, c_int64),
    "st_play": (c_int64, c_void_p, c_int64, c_void_p, c_void_p, c_int64),
    "st_points": (c_int64, c_void_p),
    "st_position": (c_int64, c_void_p, c_int64),
    "st_report": (c_int64, c_void_p, c_int64),
    "st_reset": (c_int64, c_uint64),
    "st_reset_slots": (c_int64, c_void_p, c_int64),
    "st_restore": (c_int64, c_void_p, c_int64),
    "st_sample": (c_int64, c_void_p, c_int64),
    "st_save": (c_int64, c_int64, c_void_p, c_int64),
    "st_send": (c_int64, c_void_p, c_int64),
    "st_set": (c_int64, c_int64, c_void_p, c_int64),
    "st_set_position": (c_int64, c_void_p, c_int64),
    "st_slot_state": (c_int64, c_int64),
    "st_snapshot": (c_int64, c_void_p, c_int64),
    "st_status": (c_int64,),
    "st_step": (c_int64, c_void_p, c_int64),
    "st_svg": (c_int64, c_int64, c_int64, c_int64, c_void_p, c_int64),
    "st_text": (c_int64, c_void_p, c_int64),
    "st_wait": (c_int64, c_int64),
}
