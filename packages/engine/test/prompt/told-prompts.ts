/**
 * What a prompt must be told: which parts of it are in the picture, which words are not, and what of the catalog is named
 * as nearest to those.
 */
export interface ToldPrompt {
  prompt: string;
  /** Each as `kind name`; nothing else may be said to be followed. `a|b` is one of the two. */
  applied: string[];
  /** The words for what the picture does not have. */
  ignored: string[];
  /** Each as `kind name`; `*` is any name. */
  nearest: string[];
}

const told = (
  prompt: string,
  applied: string[],
  ignored: string[] = [],
  nearest: string[] = [],
): ToldPrompt => ({ prompt, applied, ignored, nearest });

/** What the catalog has. */
const there: readonly ToldPrompt[] = [
  told('castle terrace', ['scene castle-terrace']),
  told('on the terrace of a castle at dusk', ['scene castle-terrace', 'light dusk']),
  told('a wizard in the library', ['scene library', 'costume wizard']),
  told('a knight in a great hall', ['scene great-hall', 'costume knight']),
  told('the queen in a palace ballroom', ['scene ballroom', 'costume royal']),
  told('an astronaut aboard a space station', ['scene space-station', 'costume astronaut']),
  told('boats in the harbour', ['scene harbour-dusk']),
  told('northern lights over a fjord', ['scene aurora']),
  told('an explorer in an ice cave', ['scene ice-cave', 'costume explorer']),
  told('a diver under the sea', ['scene underwater', 'costume diver']),
  told('on the beach at golden hour', ['scene ocean-golden', 'light golden-hour']),
  told('walking on the red carpet', ['scene red-carpet'], ['walking']),
  told('a bar in the roaring twenties', ['scene speakeasy']),
  told('desert dunes in warm colours', ['scene dunes-dusk', 'palette warm']),
  told('ferris wheel at a funfair', ['scene funfair']),
  told('by the fireplace in a log cabin', ['scene winter-cabin', 'light candlelight']),
  told('in front of a velvet curtain in a theatre', ['scene theatre-stage']),
  told('on stage at a rock concert', ['scene stage-lights']),
  told('paper lanterns at night', ['scene lantern-night', 'light night|candlelight']),
  told('watercolour of a mountain lake', ['scene alpine-lake', 'look watercolour']),
  told('a neon street in the rain', ['scene neon-street', 'weather rain']),
  told('comic book page, a king', ['costume royal', 'look comic'], ['page']),
  told('a pilot in a leather jacket', ['costume pilot']),
  told('oil painting of a racing driver', ['costume racing-driver', 'look oil']),
  told('black and white portrait in a photo studio', [
    'scene vintage-studio',
    'palette monochrome',
    'light studio',
  ]),
  told('stained glass window', ['look stained-glass']),
  told('a skyline from a rooftop', ['scene rooftop-night']),
  told('running track in a stadium', ['scene stadium']),
  told('a cyberpunk laboratory', ['scene cyber-lab']),
  told('a galaxy of stars, vivid colours', ['scene nebula', 'palette vivid']),
];

/** What it lacks, by itself and beside what it has. */
const lacking: readonly ToldPrompt[] = [
  told('a pirate', [], ['pirate'], ['costume *']),
  told('a pirate in the harbour', ['scene harbour-dusk'], ['pirate'], ['costume *']),
  told('a lighthouse', [], ['lighthouse'], ['scene harbour-dusk']),
  told('a lighthouse by the harbour', ['scene harbour-dusk'], ['lighthouse']),
  told('medieval banquet', ['scene great-hall'], ['banquet']),
  told('a dragon', [], ['dragon'], ['scene castle-terrace|great-hall']),
  told('a unicorn on the beach', ['scene ocean-golden'], ['unicorn'], ['costume *']),
  told('cowboy in the desert', ['scene dunes-dusk'], ['cowboy'], ['costume *']),
  told('a firefighter', [], ['firefighter'], ['costume *']),
  told('a superhero', [], ['superhero'], ['costume *']),
  told('a superhero above the city', ['scene rooftop-night'], ['superhero'], ['costume *']),
  told('the Eiffel tower', [], ['eiffel', 'tower'], ['scene *']),
  told('a train station', [], ['train', 'station'], ['scene space-station']),
  told('a swimming pool', [], ['swimming', 'pool'], ['scene underwater|ocean-golden']),
  told('a bank vault', [], ['bank', 'vault'], ['scene great-hall']),
  told('eating ice cream', [], ['eating', 'ice', 'cream'], ['scene *']),
  told('samurai under a cherry tree', [], ['samurai', 'cherry', 'tree'], ['costume knight']),
  told('Santa Claus by the christmas tree', ['scene winter-cabin'], ['santa', 'claus'], ['costume *']),
  told('a camel in the desert', ['scene dunes-dusk'], ['camel']),
  told('with my dog in the snow', ['weather snow'], ['dog']),
  told('a knight with a sword', ['costume knight'], ['sword']),
  told('a king with a crown', ['costume royal'], ['crown']),
  told('astronaut on the moon', ['costume astronaut'], ['moon'], ['scene space-station']),
  told('Hogwarts', [], ['hogwarts'], ['scene great-hall']),
  told('a vampire in a castle', ['scene castle-terrace|great-hall'], ['vampire'], ['costume *']),
  told('star wars', [], ['star', 'wars'], ['scene space-station|nebula']),
  told('a ballerina on a theatre stage', ['scene theatre-stage'], ['ballerina'], ['costume *']),
  told('a taxi driver in the city', ['scene neon-street|rooftop-night'], ['taxi', 'driver']),
  told('a spreadsheet of taxes', [], ['spreadsheet', 'taxes']),
  told(
    'a mermaid under the sea in pastel colours',
    ['scene underwater', 'palette pastel'],
    ['mermaid'],
    ['costume *'],
  ),
];

export const toldPrompts: readonly ToldPrompt[] = [...there, ...lacking];
