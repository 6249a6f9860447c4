import { parseCommentMarker } from '@agent/platforms/comments';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { expect, it } from 'vitest';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { type HandoverRefusal, refuseHandover } from './handover.ts';

const label = 'coding agent';
const labels = {
  waiting: 'coding agent',
  processing: 'p',
  completed: 'c',
  failed: 'f',
  paused: 'z',
  stopped: 's',
};
const at = '2026-03-01T10:00:00Z';
const bob = { id: '7', login: 'bob', kind: 'person' } as const;
const day = 86_400_000;

function setUp({ tellsStrangers = true } = {}) {
  const platform = createMemoryPlatform({ repositories: [{ path: 'octo/hello', files: {} }] });
  const key = platform.people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  const ports = platform.openThread(key);
  const trigger = { ...createLabelTrigger(platform, { ...labels, waiting: label }), tellsStrangers };
  let time = Date.parse(at);
  return {
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    /** Labels the thread, refuses it, and gives all that the thread was told so far. */
    refuse: async (refusal: HandoverRefusal): Promise<readonly string[]> => {
      platform.people.setLabels(key, [label], { by: 'bob' });
      const policy = { collaborators: true };
      await refuseHandover({ ports, trigger, refusal, policy, locale: 'en', now: () => time });
      expect((await ports.reader.readThread()).labels).toEqual([]);
      const { comments } = await platform.openThread(key).comments.listComments({ since: null });
      return comments.map(({ body }) => body);
    },
  };
}

it('each reason for which a thread is given back is told, and none twice [NX-21]', async () => {
  const { refuse } = setUp();
  const title = { reason: 'edit', part: 'title', actor: bob, at } as const;
  expect(await refuse({ reason: 'giver', actor: bob, at })).toHaveLength(1);
  expect(await refuse(title)).toHaveLength(2);
  expect(await refuse(title)).toHaveLength(2);
  const told = await refuse({ ...title, part: 'body' });
  expect(told).toHaveLength(3);
  expect(told.at(-1)).toContain('the description');
});

it('a refusal that has no time is told again on another day [NX-21]', async () => {
  const { refuse, pass } = setUp();
  const unknown = { reason: 'giver', actor: null, at: null } as const;
  expect(await refuse(unknown)).toHaveLength(1);
  expect(await refuse(unknown)).toHaveLength(1);
  pass(day);
  expect(await refuse(unknown)).toHaveLength(2);
});

it('a stranger gets no answer where anybody can try to give work, but a change of what was given is told [NX-21, NX-22]', async () => {
  const { refuse } = setUp({ tellsStrangers: false });
  expect(await refuse({ reason: 'giver', actor: bob, at })).toEqual([]);
  expect(await refuse({ reason: 'edit', part: 'title', actor: bob, at })).toHaveLength(1);
});

it('a refusal is found again by the time of the label and what was refused [NX-21]', async () => {
  const { refuse } = setUp();
  const told = [
    ...(await refuse({ reason: 'giver', actor: bob, at })),
    ...(await refuse({ reason: 'edit', part: 'title', actor: bob, at })),
  ];
  expect(told.map((body) => parseCommentMarker(body))).toEqual([
    `handover:${at}:label`,
    `handover:${at}:label`,
    `handover:${at}:title`,
  ]);
});
