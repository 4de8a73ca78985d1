/** The end of a UUID, because ids begin with the time and so begin alike; an integer as it is. */
export const shortId = (id: string) => (id.length > 12 ? `…${id.slice(-8)}` : id);
