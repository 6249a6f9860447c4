/**
 * What the agent was told of the time before its first step, as it stood in its instructions, with each thing that was
 * collected cut down to its length; empty where it was told nothing.
 */
export function outlinePreparation(firstStep: string): string {
  const told = /^### Understanding of the request[\s\S]*?(?=\n=+ END TEXT)/m.exec(firstStep)?.[0] ?? '';
  return told
    .replace(
      /^--- (.+) ---\n([\s\S]*?)\n--- end of \1 ---$/gm,
      (_, name, text) => `- ${name}: ${count(text)}`,
    )
    .replace(/^### /gm, '')
    .replace(/\n{2,}/g, '\n');
}

function count(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}
