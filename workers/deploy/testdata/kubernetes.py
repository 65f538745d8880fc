"""Checks the Kubernetes objects on standard input, with no unknown field: those of
Kubernetes by the schemas of its version, those of KEDA by its models."""
import sys

import kubernetes_validate
import yaml
from cloudcoil.models.keda.v1alpha1 import ScaledObject

VERSION = "1.37"


def unknown(given, known, path):
    """Yields the paths of the fields that a model has dropped."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key not in known:
                yield f"{path}.{key}"
            else:
                yield from unknown(value, known[key], f"{path}.{key}")
    elif isinstance(given, list) and isinstance(known, list):
        for i, (a, b) in enumerate(zip(given, known)):
            yield from unknown(a, b, f"{path}[{i}]")


faults, kinds = [], []
for document in yaml.safe_load_all(sys.stdin):
    kinds.append(document["kind"])
    if document["apiVersion"].startswith("keda.sh/"):
        model = ScaledObject.model_validate(document)
        known = model.model_dump(by_alias=True, exclude_none=True, mode="json")
        faults += unknown(document, known, document["kind"])
        continue
    try:
        kubernetes_validate.validate(document, VERSION, strict=True)
    except kubernetes_validate.ValidationError as err:
        faults.append(f"{document['kind']}: {'.'.join(map(str, err.path))}: {err.message}")
for fault in faults:
    print(fault)
print(len(kinds), "objects:", " ".join(sorted(kinds)))
sys.exit(bool(faults))
