import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unchangedListing } from '../listings/comment-listing.ts';
import type { Comment } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { ProvenSource } from '../review-ports.ts';
import { joinSources, type SourcePart } from './join-sources.ts';

const away = new PlatformError('The platform is away.', { code: 'unavailable' });
const refused = new PlatformError('This token may not read checks.', { code: 'forbidden' });

/** A list that people write to, with cursors and "unchanged" as GitHub has them, and answers that fail on demand. */
function createList(idPrefix: string) {
  const comments = new Map<string, Comment>();
  const seen = new Map<string | null, number>();
  const failures: Error[] = [];
  let version = 0;
  let polls = 0;
  const source: ProvenSource = {
    listComments: async ({ since }) => {
      polls += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      const all = [...comments.values()];
      const cursor =
        all.length === 0 ? since : toTime(Math.max(...all.map(({ updatedAt }) => toNumber(updatedAt))));
      if (seen.get(since) === version) return unchangedListing(cursor);
      seen.set(since, version);
      const changed = all.filter(({ updatedAt }) => since === null || (updatedAt ?? '') >= since);
      return { comments: changed, complete: since === null, cursor, unchanged: false };
    },
    getComment: async (id) => comments.get(id) ?? null,
  };
  return {
    source,
    comments,
    failures,
    polls: () => polls,
    write: (number: number, body: string, at: number) => {
      version += 1;
      const id = `${idPrefix}${number}`;
      const createdAt = comments.get(id)?.createdAt ?? toTime(at);
      const place = { url: null, visibility: 'public', subject: null } as const;
      comments.set(id, { id, author: null, body, createdAt, updatedAt: toTime(at), ...place });
    },
    remove: (number: number) => {
      if (comments.delete(`${idPrefix}${number}`)) version += 1;
    },
  };
}

const toTime = (seconds: number) => new Date(seconds * 1000).toISOString();
const toNumber = (time: string | null) => Date.parse(time ?? '') / 1000;

function createWorld() {
  const lists = { conversation: createList(''), lines: createList('line-'), checks: createList('check-') };
  const parts: SourcePart[] = [
    { name: 'conversation', source: lists.conversation.source, idPrefix: '' },
    { name: 'lines', source: lists.lines.source, idPrefix: 'line-' },
    { name: 'checks', source: lists.checks.source, idPrefix: 'check-', mayLack: true },
  ];
  return { lists, parts };
}

const listNames = ['conversation', 'lines', 'checks'] as const;

describe('joinSources', () => {
  it('lists what all parts list, in the order of time, and goes on from there [NX-180]', async () => {
    const { lists, parts } = createWorld();
    lists.conversation.write(1, 'Please do it.', 10);
    lists.lines.write(7, 'Here.', 5);
    const source = joinSources(parts);
    const first = await source.listComments({ since: null });
    expect(first.comments.map(({ id }) => id)).toEqual(['line-7', '1']);
    expect(first).toMatchObject({ complete: true, unchanged: false });
    expect(await source.listComments({ since: first.cursor })).toMatchObject({ complete: false });
    expect(await source.listComments({ since: first.cursor })).toMatchObject({ unchanged: true });
    lists.checks.write(3, 'build failed', 20);
    const second = await source.listComments({ since: first.cursor });
    expect(second.comments.map(({ id }) => id)).toEqual(['check-3']);
    expect(second).toMatchObject({ complete: false, unchanged: false });
  });

  it('has no cursor while no part has one, and takes that of the first part alone [NX-180]', async () => {
    const { lists, parts } = createWorld();
    expect((await joinSources(parts).listComments({ since: null })).cursor).toBeNull();
    lists.conversation.write(1, 'old', 10);
    lists.conversation.write(2, 'new', 30);
    lists.lines.write(3, 'earlier', 1);
    const { comments, complete } = await joinSources(parts).listComments({ since: toTime(20) });
    expect(comments.map(({ id }) => id)).toEqual(['line-3', '2']);
    expect(complete).toBe(false);
  });

  it('shows by the next poll what one part had shown when another failed [NX-180]', async () => {
    const { lists, parts } = createWorld();
    lists.conversation.write(1, 'first', 1);
    const source = joinSources(parts);
    const { cursor } = await source.listComments({ since: null });
    await source.listComments({ since: cursor });
    lists.conversation.write(2, 'second', 2);
    lists.lines.failures.push(away);
    await expect(source.listComments({ since: cursor })).rejects.toBe(away);
    const { comments } = await source.listComments({ since: cursor });
    expect(comments.map(({ body }) => body)).toEqual(['first', 'second']);
  });

  it('leaves out what the credential may not read, tells of it once, and asks again when it has to be fresh [NX-180]', async () => {
    const { lists, parts } = createWorld();
    lists.conversation.write(1, 'first', 1);
    lists.checks.failures.push(refused, refused);
    const told: string[] = [];
    const source = joinSources(parts, { onLeftOut: (name, error) => told.push(`${name}: ${error.message}`) });
    expect(await source.listComments({ since: null })).toMatchObject({ complete: true });
    await source.listComments({ since: null });
    expect(lists.checks.polls()).toBe(1);
    await source.listComments({ since: null, fresh: true });
    expect(lists.checks.polls()).toBe(2);
    expect(told).toEqual(['checks: This token may not read checks.']);
    lists.checks.write(5, 'failed', 9);
    const { comments } = await source.listComments({ since: null, fresh: true });
    expect(comments.map(({ id }) => id)).toEqual(['1', 'check-5']);
    lists.lines.failures.push(refused);
    await expect(source.listComments({ since: null })).rejects.toBe(refused);
  });

  it('asks a part that it leaves out again after 1, 2, 4 polls and so on, and hears what was written meanwhile [NX-180]', async () => {
    const { lists, parts } = createWorld();
    const told: string[] = [];
    const source = joinSources(parts, { onLeftOut: (name) => told.push(name) });
    lists.checks.failures.push(refused, refused, refused);
    lists.checks.write(5, 'failed', 9);
    const asked: number[] = [];
    for (let poll = 1; poll <= 11; poll += 1) {
      const before = lists.checks.polls();
      const { comments } = await source.listComments({ since: null });
      if (lists.checks.polls() > before) asked.push(poll);
      expect(comments.map(({ id }) => id)).toEqual(poll < 11 ? [] : ['check-5']);
    }
    expect(asked).toEqual([1, 3, 6, 11]);
    expect(told).toEqual(['checks']);
  });

  it('proves what is gone by the part that an id belongs to, with its listing where there is nothing else [NX-180]', async () => {
    const { lists, parts } = createWorld();
    lists.conversation.write(1, 'first', 1);
    lists.lines.write(1, 'on a line', 1);
    const [conversation, lines] = parts as [SourcePart, SourcePart, SourcePart];
    const { listComments } = conversation.source;
    const source = joinSources([{ ...conversation, source: { listComments } }, lines]);
    expect((await source.getComment?.('line-1'))?.body).toBe('on a line');
    expect((await source.getComment?.('1'))?.body).toBe('first');
    expect((await source.getComment?.('1'))?.body).toBe('first');
    lists.conversation.remove(1);
    expect(await source.getComment?.('1')).toBeNull();
    expect(await source.getComment?.('line-2')).toBeNull();
  });

  it('loses nothing and invents nothing, however people write and answers fail [NX-180]', async () => {
    const write = fc.record({
      kind: fc.constantFrom('write', 'write', 'remove', 'fail', 'lack'),
      list: fc.constantFrom(...listNames),
      number: fc.integer({ min: 1, max: 4 }),
      isWhole: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 40 }), async (steps) => {
        const { lists, parts } = createWorld();
        const source = joinSources(parts);
        const known = new Map<string, string>();
        let cursor: string | null = null;
        let at = 0;
        const poll = async (since: string | null, fresh = false) => {
          const listing = await source.listComments({ since, fresh });
          if (listing.complete) known.clear();
          for (const { id, body } of listing.comments) known.set(id, body);
          cursor = listing.cursor ?? cursor;
        };
        for (const { kind, list, number, isWhole } of steps) {
          at += 1;
          if (kind === 'write') lists[list].write(number, `${at}`, at);
          if (kind === 'remove') lists[list].remove(number);
          if (kind === 'fail') lists[list].failures.push(away);
          if (kind === 'lack') lists.checks.failures.push(refused);
          await poll(isWhole ? null : cursor).catch((error: unknown) => expect(error).toBe(away));
        }
        for (const name of listNames) lists[name].failures.length = 0;
        const all = () => listNames.flatMap((name) => [...lists[name].comments.values()]);
        await poll(cursor, true);
        for (const { id, body } of all()) expect(known.get(id)).toBe(body);
        const whole = await source.listComments({ since: null, fresh: true });
        const stands = all()
          .map(({ id }) => id)
          .sort();
        if (!whole.unchanged) expect(whole.comments.map(({ id }) => id).sort()).toEqual(stands);
        if (!whole.unchanged) expect(whole.complete).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
