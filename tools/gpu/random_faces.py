"""The face models that both node packs read, as networks of about the same shape with random numbers.

Random numbers find no face, so the detectors answer one face at a fixed place, after the network has run. Everything
else is computed: what comes out means nothing, what it costs is about what the real networks cost.
"""
import json
import os

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

# In pixels of the square of 640 that detectors see: inside of a picture of any shape that Guise sends.
SIDE = 640
BOX = (150, 160, 290, 340)
POINTS = ((190, 230), (250, 230), (220, 260), (195, 295), (245, 295))

# Random numbers take longer to draw than to copy.
block = numpy.random.default_rng(1).standard_normal(1 << 20, dtype=numpy.float32)


class Graph:
    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def weight(self, *shape):
        """Of a layer; zeros for its bias."""
        if len(shape) == 1:
            return self.constant(numpy.zeros(shape, numpy.float32))
        return self.constant(numpy.resize(block, shape) * numpy.float32(1.4 / numpy.sqrt(numpy.prod(shape[1:]))))

    def constant(self, array):
        self.count += 1
        self.weights.append(numpy_helper.from_array(array, f"w{self.count}"))
        return f"w{self.count}"

    def add(self, operator, *inputs, out=None, **attributes):
        self.count += 1
        name = out or f"n{self.count}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=f"{operator}_{self.count}",
                                           **attributes))
        return name

    def conv(self, x, come, go, size=3, stride=1):
        return self.add("Conv", x, self.weight(go, come, size, size), self.weight(go), kernel_shape=[size, size],
                        strides=[stride, stride], pads=[size // 2] * 4)

    def residual(self, x, come, go, stride):
        y = self.add("Relu", self.conv(x, come, go))
        y = self.conv(y, go, go, stride=stride)
        if come != go or stride != 1:
            x = self.conv(x, come, go, 1, stride)
        # Halved, so that sums of many blocks stay in range.
        return self.add("Mul", self.add("Add", x, y), self.constant(numpy.float32(0.5)))

    def tower(self, x, widths, depths):
        come = widths[0]
        x = self.add("Relu", self.conv(x, 3, come))
        for go, depth in zip(widths, depths):
            for i in range(depth):
                x = self.residual(x, come, go, 2 if i == 0 else 1)
                come = go
        return x

    def save(self, path, inputs, outputs):
        tensors = lambda all: [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in all]
        graph = helper.make_graph(self.nodes, "random", tensors(inputs), tensors(outputs), self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        onnx.save(model, path)


def write_detector(path):
    graph = Graph()
    features = graph.tower("input", [56, 88, 88, 224], [3, 4, 2, 3])
    nothing = graph.add("Mul", graph.add("ReduceMean", features, keepdims=0), graph.constant(numpy.float32(0)))
    outputs = []
    for part, width in (("score", 1), ("box", 4), ("points", 10)):
        for stride in (8, 16, 32):
            cells = SIDE // stride
            found = numpy.zeros((cells * cells * 2, width), numpy.float32)
            if stride == 32:
                x, y = (BOX[0] + BOX[2]) // 2 // stride, (BOX[1] + BOX[3]) // 2 // stride
                middle = numpy.array([x * stride, y * stride])
                edges = [middle[0] - BOX[0], middle[1] - BOX[1], BOX[2] - middle[0], BOX[3] - middle[1]]
                points = (numpy.array(POINTS) - middle).reshape(-1)
                found[(y * cells + x) * 2] = {1: [0.9], 4: numpy.array(edges) / stride, 10: points / stride}[width]
            outputs.append((f"{part}_{stride}", found.shape))
            graph.add("Add", graph.constant(found), nothing, out=f"{part}_{stride}")
    graph.save(path, [("input", [1, 3, "height", "width"])], outputs)


def write_reader(path, side, widths, depths, answers):
    """A tower and a linear layer: identity, landmarks, age."""
    graph = Graph()
    features = graph.add("Flatten", graph.tower("input", widths, depths))
    left = widths[-1] * (side // 16 if side % 16 == 0 else side // 16 + 1) ** 2
    graph.add("Gemm", features, graph.weight(answers, left), graph.weight(answers), transB=1, out="output")
    graph.save(path, [("input", [1, 3, side, side])], [("output", [1, answers])])


def write_swapper(path):
    """Three steps down to 1,024 channels, six blocks that the identity steers, three steps up: 0.55 GB, as the real one."""
    graph = Graph()
    x = graph.conv("target", 3, 128, 7)
    for come, go in ((128, 256), (256, 512), (512, 1024)):
        x = graph.add("Relu", graph.conv(x, come, go, stride=2))
    ones, zeros = graph.constant(numpy.ones(1024, numpy.float32)), graph.weight(1024)
    shape = graph.constant(numpy.array([1, 1024, 1, 1]))
    for _ in range(6):
        y = x
        for _ in range(2):
            y = graph.add("InstanceNormalization", graph.conv(y, 1024, 1024), ones, zeros)
            for operator in ("Mul", "Add"):
                style = graph.add("Gemm", "source", graph.weight(1024, 512), graph.weight(1024), transB=1)
                y = graph.add(operator, y, graph.add("Reshape", style, shape))
            y = graph.add("Relu", y)
        x = graph.add("Mul", graph.add("Add", x, y), graph.constant(numpy.float32(0.5)))
    scales = graph.constant(numpy.array([1, 1, 2, 2], numpy.float32))
    for come, go in ((1024, 512), (512, 256), (256, 128)):
        x = graph.add("Relu", graph.conv(graph.add("Resize", x, "", scales, mode="linear"), come, go))
    graph.add("Sigmoid", graph.conv(x, 128, 3, 7), out="output")
    # The node reads the last of the weights itself.
    graph.weight(512, 512)
    graph.save(path, [("target", [1, 3, 128, 128]), ("source", [1, 512])], [("output", [1, 3, 128, 128])])


def write_analysis(folder, detector, recogniser, depths):
    write_detector(f"{folder}/{detector}.onnx")
    write_reader(f"{folder}/{recogniser}.onnx", 112, [64, 128, 256, 512], depths, 512)
    write_reader(f"{folder}/2d106det.onnx", 192, [16, 32, 64, 128], [2, 2, 2, 2], 212)
    write_reader(f"{folder}/1k3d68.onnx", 192, [64, 128, 256, 512], [3, 4, 6, 3], 3309)
    write_reader(f"{folder}/genderage.onnx", 96, [16, 32, 64, 64], [1, 1, 1, 1], 3)


def write_instantid_faces(models):
    write_analysis(f"{models}/insightface/models/antelopev2", "scrfd_10g_bnkps", "glintr100", [3, 13, 30, 3])


def write_swapper_files(models):
    """All that ReActor reads besides the file of GFPGAN."""
    write_analysis(f"{models}/insightface/models/buffalo_l", "det_10g", "w600k_r50", [3, 4, 14, 3])
    write_swapper(f"{models}/insightface/inswapper_128.onnx")
    folder = f"{models}/nsfw_detector/vit-base-nsfw-detector"
    from transformers import ViTConfig, ViTForImageClassification
    config = ViTConfig(image_size=384, num_labels=2, id2label={0: "sfw", 1: "nsfw"}, label2id={"sfw": 0, "nsfw": 1})
    ViTForImageClassification(config).save_pretrained(folder)
    with open(f"{folder}/preprocessor_config.json", "w") as file:
        json.dump({"do_normalize": True, "do_rescale": True, "do_resize": True, "image_mean": [0.5] * 3,
                   "image_std": [0.5] * 3, "image_processor_type": "ViTImageProcessor", "resample": 2,
                   "rescale_factor": 1 / 255, "size": {"height": 384, "width": 384}}, file)


def write_restorer_files(models):
    """The detector and the parser of the restoring step, and the face that the detector finds: to be called when the
    pack is imported, because the networks are its own."""
    from r_facelib.detection.retinaface.retinaface import RetinaFace
    from r_facelib.parsing.parsenet import ParseNet
    os.makedirs(f"{models}/facedetection", exist_ok=True)
    detector = RetinaFace(network_name="resnet50", half=False)
    torch.save(detector.state_dict(), f"{models}/facedetection/detection_Resnet50_Final.pth")
    parser = ParseNet(in_size=512, out_size=512, parsing_ch=19)
    torch.save(parser.state_dict(), f"{models}/facedetection/parsing_parsenet.pth")
    detect = RetinaFace.detect_faces

    def detect_faces(self, image, *rest, **named):
        detect(self, image, *rest, **named)
        scale = max(image.shape[:2]) / SIDE
        found = [*BOX, 1 / scale, *[number for point in POINTS for number in point]]
        return numpy.array([found], numpy.float32) * scale

    RetinaFace.detect_faces = detect_faces
