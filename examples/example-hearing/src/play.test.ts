import { expect, it } from 'vitest';
import { play } from './play.ts';

it('generateText hears an issue over an Octokit, dies, and goes on from its checkpoint with each comment once [NX-270]', async () => {
  const lines: string[] = [];
  await play((line) => lines.push(line));
  expect(lines).toMatchInlineSnapshot(`
    [
      "(The program died; it kept 5 messages.)",
      "user: Fix the export.",
      "assistant: tool-call",
      "tool: tool-result",
      "user: [New Comment from @alice]: In euros, please.",
      "assistant: The export is in euros.",
      "user: [New Comment from @bob]: And with a header.",
      "assistant: It has a header, too.",
    ]
  `);
});
