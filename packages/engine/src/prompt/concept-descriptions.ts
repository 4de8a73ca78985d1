import type { LookName } from '../looks/look-names.ts';
import type { lights, palettes, weathers } from './prompt-concepts.ts';

/**
 * What looks, lights, weathers and palettes are, in sentences that a prompt's meaning is compared with, each sentence
 * by itself. Scenes and costumes have theirs in the catalog.
 */

export const lookDescriptions: Readonly<Record<LookName, string>> = {
  ink: 'A drawing with brush and black ink. Japanese or Chinese calligraphy and ink wash. Bold black strokes of a pen on white paper. Sumi-e brushwork on a scroll.',
  comic:
    'A cartoon drawing out of a comic book. A manga or anime character, a superhero strip. A graphic novel with bold outlines and flat colours. Marvel, Disney, Tintin or the Simpsons.',
  watercolour:
    'A watercolour painting with soft transparent washes. Wet paint that runs and bleeds on paper. A light aquarelle sketch. Turner and Dürer on a wet sheet.',
  oil: 'An oil painting on canvas with visible brush strokes. A portrait by an old master such as Rembrandt. An impressionist painting by Monet or van Gogh in a museum. A baroque portrait by Vermeer, Rubens or Caravaggio. Thick paint like a Renoir or Cézanne.',
  'pop-art':
    'Pop art in bright flat colours. A screen print by Andy Warhol from the sixties. The same face in four loud colours. Marilyn Monroe and soup cans in a gallery.',
  halftone:
    'A picture made of printed dots, as in a newspaper. Coarse halftone print of an old magazine. Comic dots by Roy Lichtenstein. A cheap poster in coarse raster.',
  pencil:
    'A pencil drawing on paper. A quick sketch in graphite or charcoal. Drawn by hand with fine lines and shading. Scribbled with a lead in a notebook.',
  'stained-glass':
    'A stained glass window of a church. Coloured pieces of glass with dark lead between them. Light through the window of a cathedral. A Tiffany lamp.',
  'low-poly':
    'Low poly, made of flat triangles. A faceted 3D model as in an old computer game. Folded from paper like origami. Polygons and facets with flat shading.',
  woodcut:
    'A woodcut print with carved lines. A linocut or engraving in black ink. An old block print or etching. A print by Dürer or Hokusai, carved and stamped.',
  neon: 'Drawn with glowing neon lines on black. The outline as a neon sign. Bright luminous tubes of light in the shape of a face. Retro wave with glowing outlines.',
  pastel:
    'A drawing in soft pastel chalk. Chalk and crayon on rough paper. A dancer drawn in powdery colours by Degas. Smudged sticks of pigment.',
  mosaic:
    'A mosaic of many small tiles. A Roman or Byzantine floor made of little stones. Ceramic pieces put together to a picture. A wall in Pompeii, Ravenna or by Gaudí.',
  duotone:
    'A print in two colours only. A duotone poster with a gradient of two tones. A risograph in two inks. A cover in a pair of contrasting colours.',
  blueprint:
    'A blueprint with white lines on blue paper. A technical drawing by an architect or engineer. The construction plan of a machine. A patent with measures and dashed lines.',
};

export const lightDescriptions: Readonly<Record<keyof typeof lights, string>> = {
  dawn: 'Early in the morning at sunrise. The first light of the day, before breakfast. The sky turns pink as the day breaks and birds begin to sing.',
  day: 'In bright daylight at noon. Full sunshine in the middle of the day. The sun high in the sky.',
  'golden-hour':
    'The warm light of a low sun in the late afternoon. Everything glows golden. Long shadows before sunset.',
  dusk: 'In the evening at sunset. Twilight after the sun has gone down. Darkness is falling.',
  night: 'At night in the dark. Under the moon and the stars, after midnight. Pitch black outside.',
  candlelight: 'By the light of candles. A dim warm flicker of fire and torches. A candlelit dinner.',
  studio:
    'Lit by the lamps of a photo studio. A bright flash or spotlight on the face. Professional lighting.',
};

export const weatherDescriptions: Readonly<Record<keyof typeof weathers, string>> = {
  clear: 'A clear blue sky without a cloud. Fine sunny weather.',
  rain: 'It is raining heavily. Wet weather with puddles and umbrellas. A downpour, soaked to the skin.',
  snow: 'It is snowing, and snowflakes are falling. Everything is white with snow. A blizzard in winter.',
  fog: 'Thick fog and mist. Hazy air in which one hardly sees anything. Steam and smoke, a murky morning.',
  storm: 'A thunderstorm with lightning. Strong wind, a storm or hurricane. Thunder and a gale at sea.',
  clouds: 'A grey sky full of clouds. Dull overcast weather. Heavy clouds before the rain.',
};

export const paletteDescriptions: Readonly<Record<keyof typeof palettes, string>> = {
  warm: 'In warm colours, red, orange and brown. Colours of autumn. A cosy, earthy tint.',
  cool: 'In cold colours, blue and teal. An icy blue tint. Cold tones like steel.',
  vivid:
    'In bright saturated colours. As colourful as possible, all colours of the rainbow. Garish, psychedelic and loud.',
  muted: 'In faded, dull colours. Washed out and desaturated, a retro film. Pale like an old postcard.',
  pastel: 'In soft pale pastel colours. Light pink, mint and baby blue. Colours of candy and ice cream.',
  monochrome:
    'In black and white, without colours. A film noir in shades of grey. A silent movie, a film by Hitchcock.',
  sepia:
    'In sepia, brown like a very old photograph. An antique picture of the nineteenth century. A brownish daguerreotype.',
};
