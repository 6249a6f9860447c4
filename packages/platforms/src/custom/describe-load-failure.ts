import { pathToFileURL } from 'node:url';

/** Why an adapter's module could not be loaded or made no platform, with the place of the mistake where Node tells it. */
export function describeLoadFailure(cause: unknown, file: string): string {
  if (!(cause instanceof Error)) return String(cause);
  // Node names the module of ours that imported it, which helps nobody.
  if ((cause as { url?: unknown }).url === pathToFileURL(file).href) return 'there is no such file.';
  if (!(cause instanceof SyntaxError)) return cause.message;
  // The line stands before the message, or, for a mistake in JavaScript, nowhere but in what Node itself prints.
  const [place = ''] = cause.stack?.split('\n') ?? [];
  return /:\d+$/.test(place)
    ? `${cause.message} (${place})`
    : `${cause.message}. The line is shown by: node ${file}`;
}
