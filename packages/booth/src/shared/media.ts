interface Media {
  media_type: string;
  poster_url?: string | undefined;
}

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'video/mp4': 'mp4',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** How the name of a picture's or video's file ends. */
export const fileEndingOf = ({ media_type }: Media): string => endings[media_type] ?? 'png';

export const isVideo = ({ media_type }: Media): boolean => media_type.startsWith('video/');

/** Whether it is a living portrait: it plays again and again, and has a still for prints. */
export const isLoop = ({ poster_url }: Media): boolean => poster_url !== undefined;
