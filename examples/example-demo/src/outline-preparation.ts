/** Parts that are kept as they are; all others are things that were collected. */
const conclusions = 'assumptions, gaps, recommendations';
const keptWhole: readonly string[] = ['understanding', conclusions];

/** A name, and what stands under it between two lines with the same code. */
const envelope = /^(.+):\n=+ BEGIN TEXT (\S+) \|.*\n([\s\S]*?)\n=+ END TEXT \2 =+$/gm;

/**
 * What the agent was told of the time before its first step, as it stood in its instructions, with each thing that was
 * collected cut down to its length; empty where it was told nothing.
 */
export function outlinePreparation(firstStep: string): string {
  const [, told = ''] = /^## What was found out before planning\n([\s\S]*)/m.exec(firstStep) ?? [];
  const end = [...told.matchAll(envelope)].find(([, name]) => name === conclusions);
  if (end === undefined) return '';
  return told
    .slice(0, end.index + end[0].length)
    .replace(envelope, (_, name, __, text) => (keptWhole.includes(name) ? text : shorten(name, text)))
    .replace(/\n{2,}/g, '\n')
    .replace(/\n### /g, '\n\n')
    .trim();
}

/** What was wanted stands in the first line, where that is known. */
function shorten(name: string, text: string): string {
  const [, wanted = '', given = ''] = /^(?:wanted: (.*)\n)?([\s\S]*)$/.exec(text) ?? [];
  const lines = given.split('\n').filter((line) => line.trim() !== '').length;
  return `- ${wanted === '' ? name : `${wanted} (${name})`}: ${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
