import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import { commentWriterTrouble } from '../../test/suites/comment-writer-trouble.ts';
import { gitHubWorld } from '../../test/suites/worlds.ts';
import { contractWorld } from '../testing/index.ts';

const { repository } = contractWorld;
const done = { topic: 'final', body: 'Done.' };

describe("GitHub's comment writer", () => {
  commentWriterTrouble(gitHubWorld);

  it('never repeats a write that GitHub refused', () =>
    onSimulator(async ({ simulator, connect, key }) => {
      simulator.addToken({ token: 'reads-only', login: 'agent', permissions: { issues: 'read' } });
      const { writer } = connect({ token: 'reads-only' }).openThread(key);
      await expect(writer.ensureComment(done)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(`the token lacks issues: write on ${repository}`),
      });
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    }));

  it('fits a body of 1 MB into 65,536 characters', () =>
    onSimulator(async ({ platform, people, key }) => {
      await platform.openThread(key).writer.ensureComment({ topic: 'final', body: '語'.repeat(1_000_000) });
      const [comment] = await people.commentsOn(key);
      expect(comment?.body.length).toBeLessThanOrEqual(65_536);
      expect(comment?.body.length).toBeGreaterThan(65_000);
    }));
});
