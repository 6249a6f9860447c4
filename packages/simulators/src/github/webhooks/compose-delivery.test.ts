import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryName, startTrial, type Trial } from '../trial.ts';
import { payloadDifferences, recordedPayload } from './recorded.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await startTrial();
  const seed = { repo: repositoryName, author: 'alice', title: 'sesame', body: 'open' };
  trial.simulator.openIssue({ ...seed, labels: ['bug'], assignees: ['agent'] });
});
afterAll(() => trial.close());

const secret = 'It is a secret to everybody';
const compose = (happening: object) =>
  trial.simulator.composeDelivery(
    { repo: repositoryName, ...happening } as Parameters<typeof trial.simulator.composeDelivery>[0],
    secret,
  );
const comment = (body: string) =>
  trial.simulator.comment({ repo: repositoryName, number: 1, author: 'alice', body }).id;

describe('a delivery of the simulated GitHub', () => {
  it.each(['created', 'edited', 'deleted'] as const)(
    'has the shape of a recorded one about a comment that was %s',
    (action) => {
      const { body } = compose({ event: 'issue_comment', action, commentId: comment('Hello') });
      expect(payloadDifferences(recordedPayload('issue_comment', action), body)).toEqual([]);
    },
  );

  it('has the shape of a recorded one about a label', () => {
    const { body } = compose({ event: 'issues', action: 'labeled', number: 1, label: 'bug' });
    const payload = JSON.parse(body.toString());
    expect(payloadDifferences(recordedPayload('issues', 'labeled'), body)).toEqual([]);
    expect(payload.label.name).toBe('bug');
  });

  it('is signed over the bytes of its body, has an id of its own, and says what it tells of', () => {
    const commentId = comment('合計が違います 🧮');
    const [one, other] = [1, 2].map(() => compose({ event: 'issue_comment', action: 'created', commentId }));
    if (one === undefined || other === undefined) throw new Error('two were composed');
    const signature = createHmac('sha256', secret).update(one.body).digest('hex');
    expect(one.headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
    expect(one.headers['x-github-event']).toBe('issue_comment');
    expect(one.headers['x-github-delivery']).not.toBe(other.headers['x-github-delivery']);
    expect(JSON.parse(one.body.toString())).toMatchObject({
      comment: { id: commentId, body: '合計が違います 🧮', updated_at: '2024-05-01T00:00:00Z' },
      issue: { number: 1 },
      repository: { full_name: repositoryName },
      sender: { login: 'alice' },
    });
  });

  it('can be the ping of a new webhook', () => {
    const { headers, body } = compose({ event: 'ping' });
    expect(headers['x-github-event']).toBe('ping');
    expect(JSON.parse(body.toString())).toHaveProperty('zen');
  });
});
