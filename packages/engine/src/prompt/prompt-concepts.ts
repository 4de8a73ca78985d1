import type { LookName } from '../looks/look-names.ts';

/** What the reader knows: concepts and the words and phrases that mean them. Longer phrases are read first. */

export const lights = {
  dawn: 'dawn, sunrise, daybreak, first light, early morning, morning light, morning, sun rising',
  day: 'day, daylight, daytime, noon, midday, afternoon, sunlight, sunshine, sunny, bright sun, sunlit, broad daylight',
  'golden-hour': 'golden hour, golden light, golden sun, evening sun, low sun, warm light, late afternoon',
  dusk: 'dusk, sunset, twilight, sundown, nightfall, evening, blue hour, sun setting, afterglow',
  night: 'night, midnight, nighttime, moonlight, moonlit, starry, starlight, after dark, in the dark',
  candlelight: 'candlelight, candlelit, candle, firelight, torchlight, fireplace, lantern, campfire',
  studio: 'studio, studio light, spotlight, softbox, stage light, flash',
} as const;

export const weathers = {
  clear: 'clear sky, clear, cloudless, blue sky',
  rain: 'rain, rainy, raining, wet, drizzle, downpour, puddle, monsoon, umbrella',
  snow: 'snow, snowy, snowing, snowfall, blizzard, snowflake, winter, wintry',
  fog: 'fog, foggy, mist, misty, haze, hazy',
  storm: 'storm, stormy, thunder, thunderstorm, lightning, tempest',
  clouds: 'cloud, cloudy, overcast, grey sky, gray sky',
} as const;

export const palettes = {
  warm: 'warm, warm colours, warm colors, autumn, autumnal, amber, orange, earthy',
  cool: 'cool colours, cool colors, cold colours, cold colors, icy, teal, blue tones',
  vivid:
    'vivid, vibrant, colourful, colorful, saturated, bold colours, bold colors, bright colours, bright colors, rainbow',
  muted: 'muted, faded, soft colours, soft colors, desaturated, washed out, vintage, retro, nostalgic',
  pastel:
    'pastel colours, pastel colors, pastel tones, pastel shades, pastel palette, candy colours, candy colors',
  monochrome: 'monochrome, black and white, black white, greyscale, grayscale, noir, film noir, bw',
  sepia: 'sepia, old photograph, old photo, antique photo, daguerreotype',
} as const;

/** Words for looks. Those that are as often a place or a thing ("neon city", "oil lamp") need a companion. */
export const lookWords: Readonly<Record<LookName, string>> = {
  ink: 'ink, inked, pen and ink, brush and ink, ink drawing, ink wash, sumi, sumi e, calligraphy',
  comic:
    'comic, comic book, cartoon, cartoonish, graphic novel, comic strip, manga, anime, superhero comic, cel shaded, toon',
  watercolour: 'watercolour, watercolor, water colour, water color, aquarelle, gouache',
  oil: 'oil painting, oil paint, oil portrait, oil on canvas, in oil, impasto, impressionist, impressionism, van gogh, monet, rembrandt, painterly, painting, old master',
  'pop-art': 'pop art, popart, warhol, andy warhol, silkscreen, silk screen, screen print, screenprint',
  halftone:
    'halftone, half tone, newsprint, newspaper, ben day, benday, cmyk, dot print, printed dots, lichtenstein',
  pencil:
    'pencil, graphite, sketch, sketched, pencil sketch, pencil drawing, line drawing, drawing, hand drawn',
  'stained-glass':
    'stained glass, stained glass window, church window, cathedral window, leaded glass, glass window',
  'low-poly': 'low poly, lowpoly, polygon, polygonal, faceted, triangles, geometric, origami, papercraft',
  woodcut:
    'woodcut, wood cut, linocut, lino cut, lino, woodblock, block print, wood engraving, engraving, etching',
  neon: 'neon style, neon look, neon portrait, neon lines, neon outline, neon art, neon drawing, glowing lines, glowing outline, neon glow, neon tubes',
  pastel: 'pastel, pastels, chalk, chalk drawing, pastel drawing, pastel painting, soft pastel, crayon',
  mosaic: 'mosaic, tesserae, roman mosaic, byzantine, mosaic tiles, tiled',
  duotone: 'duotone, duo tone, two tone, two colour, two color, risograph, riso, gradient map',
  blueprint: 'blueprint, blue print, technical drawing, architect, draughtsman, cyanotype, schematic',
};

/** Groups of words that lead to the same places; a scene is met through its tags and its title. */
export const places: Readonly<Record<string, string>> = {
  mountain:
    'mountain, alps, alpine, peak, summit, hill, highland, everest, himalaya, rocky mountains, matterhorn, ridge',
  lake: 'lake, lakeside, pond, lakeshore, reflection',
  sea: 'sea, ocean, seaside, coast, shore, beach, wave, surf, tropical, island, sailing, boat, yacht, harbour, harbor, pier, summer holiday, vacation',
  underwater:
    'underwater, under water, under the sea, under the ocean, under the waves, beneath the sea, beneath the ocean, beneath the waves, below the surface, deep sea, bottom of the sea, bottom of the ocean, ocean floor, sea floor, seabed, coral, coral reef, reef, diving, diver, scuba, mermaid, submarine, atlantis, aquarium, fish',
  city: 'city, town, urban, downtown, metropolis, skyline, skyscraper, tokyo, new york, hong kong, cyberpunk, blade runner, times square, shanghai, las vegas',
  street: 'street, alley, road, sidewalk, avenue, crossing, lane',
  neon: 'neon, neon sign, neon light, cyberpunk, blade runner, nightlife, synthwave, city lights',
  space:
    'space, outer space, space station, spaceship, spacecraft, rocket, galaxy, orbit, cosmos, cosmic, planet, moon, on the moon, mars, star wars, star trek, nasa, zero gravity, universe, nebula, sci fi, science fiction, futuristic, astronaut, cosmonaut',
  desert: 'desert, dune, sand dune, sahara, sand, arabian, camel, oasis, egypt, dubai, wasteland',
  ice: 'ice, icy, iceberg, glacier, ice cave, frozen, arctic, antarctica, polar, frost, winter',
  aurora: 'aurora, northern lights, polar lights, southern lights, aurora borealis, iceland, lapland, norway',
  castle:
    'castle, fortress, palace, tower, medieval, fairytale, fairy tale, terrace, kingdom, chateau, dragon, game of thrones',
  hall: 'hall, great hall, banquet, throne room, throne, ballroom, medieval, feast, hogwarts, cathedral, gothic',
  library: 'library, book, bookshelf, bookshop, bookstore, study, reading, scholar, university, archive',
  glamour:
    'red carpet, hollywood, oscar, celebrity, movie star, film star, premiere, paparazzi, gala, famous, glamour, glamorous, vip, awards',
  stage:
    'stage, concert, rock star, rockstar, rock band, singer, singing, karaoke, microphone, music, guitar, dj, disco, club, night club, nightclub, party, dance floor, dancing, theatre, theater, crowd, broadway',
  lantern: 'lantern, paper lantern, sky lantern, lantern festival, lunar new year, chinese new year, diwali',
  garden: 'garden, flower, rose, meadow, park, blossom, sunflower, lavender',
  rooftop: 'rooftop, roof terrace, roof bar, skyline, penthouse, manhattan, above the city, city lights',
  theatre:
    'theatre, theater, opera, red curtain, velvet curtain, actor, actress, drama, shakespeare, cabaret, vaudeville',
  bar: 'bar, pub, tavern, cocktail, whisky, whiskey, speakeasy, jazz, roaring twenties, gatsby, prohibition, gangster, saloon',
  cabin:
    'cabin, log cabin, chalet, ski lodge, fireplace, by the fire, christmas, christmas tree, xmas, hygge, santa',
  stadium:
    'stadium, arena, football, soccer, olympic, olympics, athlete, champion, world cup, super bowl, running track, sport',
  laboratory:
    'laboratory, lab, scientist, mad scientist, experiment, robot, android, hacker, matrix, cyberpunk, portal',
  funfair:
    'funfair, fun fair, fairground, carnival, amusement park, theme park, ferris wheel, carousel, merry go round, roller coaster, circus',
  studio:
    'studio, portrait studio, photo studio, backdrop, victorian, vintage photo, old photograph, headshot, daguerreotype',
  ball: 'ballroom, ball, waltz, versailles, chandelier, cinderella, debutante, masquerade',
  harbour: 'harbour, harbor, port, marina, quay, pier, sailing boat, fishing village, copenhagen, dock',
};

/**
 * Groups of words that lead to the same clothes. Those that the catalog has none for are named too: whoever asks for a
 * pirate is told that there is none, and not dressed as the nearest to it.
 */
export const wardrobe: Readonly<Record<string, string>> = {
  royal:
    'royal, king, queen, prince, princess, crown, monarch, emperor, empress, majesty, royalty, tiara, regal',
  knight: 'knight, armour, armor, crusader, paladin, warrior, sword, jousting, chainmail, templar, lancelot',
  astronaut: 'astronaut, space suit, spacesuit, cosmonaut, nasa, moonwalk, moon landing, on the moon',
  pirate: 'pirate, buccaneer, corsair, jack sparrow',
  superhero: 'superhero, super hero, batman, superman, spiderman, spider man, wonder woman, avenger, jedi',
  monster: 'vampire, dracula, zombie, werewolf, frankenstein, mummy, ghost, devil, demon, skeleton, alien',
  asian: 'samurai, ninja, geisha, shogun, kimono',
  ancient: 'viking, gladiator, roman, centurion, pharaoh, cleopatra, spartan, caveman, toga',
  fairytale: 'mermaid, fairy, elf, angel, unicorn, dragon, dwarf, hobbit',
  trade:
    'chef, cook, doctor, surgeon, nurse, police, policeman, policewoman, firefighter, fireman, sailor, soldier, clown, mime, ballerina, nun, priest',
  christmas: 'santa, santa claus, father christmas, christmas elf, snowman',
  detective: 'detective, noir, film noir, trench coat, sherlock',
  cowboy: 'cowboy, wild west, western, sheriff, saloon, rodeo',
  wizard:
    'wizard, witch, magician, sorcerer, sorceress, mage, warlock, druid, enchantress, hogwarts, gandalf, merlin, magic, spell, hooded, hooded cloak',
  diver: 'diver, deep sea diver, scuba diver, diving suit, diving helmet, diving bell, frogman',
  pilot:
    'pilot, aviator, fighter pilot, flying ace, airman, top gun, amelia earhart, bomber jacket, flight jacket, leather jacket',
  explorer:
    'explorer, polar explorer, arctic explorer, expedition, adventurer, mountaineer, mountain climber, alpinist, parka, shackleton, amundsen',
  racer:
    'racing driver, race driver, race car driver, rally driver, racer, race car, racing car, formula one, formula 1, f1, grand prix, motorsport',
};

/**
 * Things whose names have a word for something that a scene or a costume shows, and are something else: a bank vault is
 * no part of a great hall. Their words lead to nothing by themselves.
 */
export const compounds = `train station, railway station, subway station, metro station, tube station, bus station,
  fire station, police station, gas station, petrol station, power station, radio station, weather station,
  eiffel tower, water tower, control tower, clock tower, twin towers, tower bridge, tower of london, leaning tower,
  sand castle, bouncy castle, ice cream, ice hockey, ice skating, ice skater, ice rink, ice dancing, bank vault,
  swimming pool, city hall, town hall, carnegie hall, concert hall, music hall, white house, tree house, haunted house,
  opera house, doll house, greenhouse, glass house, house party, palm tree, apple tree, cherry tree, family tree,
  fire truck, fire engine, fire brigade, fire fighter, camp fire, forest fire, chocolate bar, candy bar, salad bar,
  snack bar, tennis ball, crystal ball, disco ball, ball pit, ball game, beach ball, snow ball, snow globe,
  peace sign, stop sign, street food, street art, street market, race track, train track, railway track,
  fashion show, talk show, tv show, game show, quiz show, tennis court, food court, sea lion, sea horse, star fish,
  shooting star, pop star, porn star, sun flower, flower wave, desert island, christmas market, wave pool,
  water slide, water park, water fall, hot spring, book club, comic con, space invaders, space jam, snow queen,
  ice queen, drag queen, beauty queen, pearl diver, sky diver, bus driver, taxi driver, truck driver, train driver,
  lorry driver, cab driver, drone pilot, white knight, lion king, burger king, king kong, prince charming,
  bath robe, little red riding hood, robin hood, hawaiian shirt, fur baby, cave man, bat cave, mud bath`;
