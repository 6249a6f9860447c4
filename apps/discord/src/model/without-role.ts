const role = 'assistant: ';

/** An answer without the role that a model copies from the transcript; of one that still grows, nothing but a role is nothing yet. */
export function withoutRole(text: string, { isWhole }: { readonly isWhole: boolean }): string {
  const start = text.trimStart();
  if (start.toLowerCase().startsWith(role)) return start.slice(role.length);
  return !isWhole && role.startsWith(start.toLowerCase()) ? '' : text;
}
