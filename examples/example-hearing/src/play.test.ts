import { expect, it } from 'vitest';
import { play } from './play.ts';

it('generateText hears an issue over an Octokit, dies, and goes on from its checkpoint with each comment once [NX-270]', async () => {
  const lines: string[] = [];
  await play((line) => lines.push(line));
  expect(lines).toMatchInlineSnapshot(`
    [
      "The program crashed. Its last checkpoint holds 5 messages.",
      "A second start resumes from the checkpoint and finishes. The whole conversation:",
      "  user: Fix the export.",
      "  assistant calls run_tests",
      "  run_tests returns: 2 passed",
      "  user: [New Comment from @alice]: In euros, please.",
      "  assistant: The export is in euros.",
      "  user: [New Comment from @bob]: And with a header.",
      "  assistant: It has a header now.",
    ]
  `);
});
