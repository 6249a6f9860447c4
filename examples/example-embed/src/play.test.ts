import { expect, it } from 'vitest';
import { play } from './play.ts';

it('a program gives threads to the agent by an HTTP endpoint: a run begins, hears a comment while it works, and leaves a draft [NX-76]', async () => {
  const lines: string[] = [];
  const { comments, pullRequest } = await play((line) => lines.push(line));
  const thread = 'github_issue:ann:hello:1';
  expect(lines.slice(0, 5)).toEqual([
    `A request gives the agent an issue: POST ${thread}`,
    `${thread}: waiting`,
    `${thread}: processing`,
    'ann comments while the agent works: In Japanese, please.',
    `${thread}: completed`,
  ]);
  expect(pullRequest).toEqual({ title: 'A greeting (#1)', draft: true });
  const own = comments.filter(({ author }) => author === 'helper').map(({ body }) => body);
  expect(own).toHaveLength(2);
  expect(own[0]).toContain('🤖 This task has ended. See my [final report](');
  expect(own[1]).toContain('The greeting is in greeting.txt: こんにちは');
  expect(own[1]).toContain('comment, delivered to the agent');
});
