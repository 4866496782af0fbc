"""ONNX: models of trees as skl2onnx and onnxmltools write them, with the operators of `ai.onnx.ml`."""
