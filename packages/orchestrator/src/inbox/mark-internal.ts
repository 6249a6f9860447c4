const told =
  '[Internal note: only members of the project may read it. Keep what it says out of files, names and code.]';

/** A comment's text, with a word before it where not everybody may read it, so that the model knows. */
export function markInternal(
  text: string,
  { visibility }: { readonly visibility?: string | undefined },
): string {
  return visibility === 'internal' && text.trim() !== '' ? `${told}\n${text}` : text;
}
