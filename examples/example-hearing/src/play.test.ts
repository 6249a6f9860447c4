import { expect, it } from 'vitest';
import { play } from './play.ts';

it('generateText hears an issue over an Octokit, dies, and goes on from its checkpoint with each comment once [NX-272]', async () => {
  const lines: string[] = [];
  await play((line) => lines.push(line));
  expect(lines).toMatchInlineSnapshot();
});
