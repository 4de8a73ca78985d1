/** face_swap as "face swap". */
export const familyWords = (families: readonly string[]) =>
  families.map((family) => family.replaceAll('_', ' ')).join(', ') || 'nothing at the moment';
