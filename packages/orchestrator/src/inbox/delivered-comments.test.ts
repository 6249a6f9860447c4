import type { Observation } from '@agent/comment-detection';
import { expect, it } from 'vitest';
import { listNews } from '../thread/detection-record.ts';
import { findHeard, findUnanswered, listHeard } from './delivered-comments.ts';

function observed(id: string, login: string | null, fields: Partial<Observation> = {}): Observation {
  const author = login === null ? null : { id: login, login };
  const createdAt = `2026-01-01T00:0${id}:00Z`;
  const url = `https://example.org/#${id}`;
  const named = { id, revision: 'hash', kind: 'added', body: id, author, authority: 'trusted' } as const;
  return { ...named, createdAt, updatedAt: null, url, ...fields };
}

const delivery = (told: boolean, id: string, kind: 'added' | 'edited' | 'deleted' = 'added') => ({
  delivers: [{ id, revision: 'hash', kind }],
  opening: false,
  told,
});

it('names nothing as untold that the conversation begins with, though a process saw it before which died [NX-8]', () => {
  const heard = listHeard(
    [
      { opening: { historyUntil: null }, observations: [observed('0', 'dave')] },
      { opening: null, observations: [observed('1', 'alice'), observed('2', 'bob')] },
      { opening: { historyUntil: null }, observations: [observed('1', 'alice'), observed('2', 'bob')] },
      { ...delivery(true, '1'), opening: true },
      { ...delivery(true, '2'), opening: true },
    ],
    [{ comment: '2', revision: 'hash', command: 'pause', outcome: 'obeyed', done: true }],
  );
  expect(heard.map(({ author, command }) => [author, command?.name])).toEqual([['bob', 'pause']]);
});

it('separates comments whose text was shown from those that were only listed [NX-8]', () => {
  const shownAs = (id: string, shown: 'line' | 'part' | undefined) => ({
    ...delivery(true, id),
    delivers: [{ id, revision: 'hash', kind: 'added' as const, shown }],
  });
  const heard = listHeard(
    [
      { opening: null, observations: ['1', '2', '3'].map((id) => observed(id, 'alice')) },
      shownAs('1', 'line'),
      shownAs('2', 'line'),
      shownAs('2', undefined),
      shownAs('3', 'part'),
    ],
    [],
  );
  expect(heard.map(({ id, delivered, isListed }) => [id, delivered, isListed ?? false])).toEqual([
    ['1', true, true],
    ['2', true, false],
    ['3', true, false],
  ]);
});

it('knows by the record what came while the run was under way, which its first prompt owes an answer [NX-96]', async () => {
  const told = { revision: 'hash', body: 'x', author: null, authority: 'trusted', updated_at: null } as const;
  const fact = (id: string, kind: string, opening: { history_until: null } | null) => {
    const observations = [{ ...told, id, kind, created_at: '2026-01-01T00:00:00Z' }];
    return { type: 'fact', name: 'observed', data: { opening, observations } } as const;
  };
  const read = async function* () {
    yield fact('1', 'added', { history_until: null });
    yield fact('2', 'added', null);
    yield fact('1', 'edited', null);
  };
  expect(await listNews({ read })).toEqual(['2']);
});

it('accounts by the record alone for each comment once, whichever process delivered it, and for what nobody told [NX-8]', () => {
  const heard = listHeard(
    [
      { opening: { historyUntil: null }, observations: [observed('0', 'dave')] },
      { opening: null, observations: [observed('2', 'bob'), observed('1', 'alice')] },
      delivery(true, '2'),
      delivery(true, '1'),
      { opening: null, observations: [observed('1', 'alice', { kind: 'edited' })] },
      delivery(true, '1', 'edited'),
      delivery(true, '1', 'edited'),
      { opening: null, observations: [observed('0', 'dave', { kind: 'deleted' })] },
      delivery(true, '0', 'deleted'),
      { opening: null, observations: [observed('3', null), observed('4', 'carol')] },
      // In the same message as a stop: no request was made of it.
      delivery(false, '4'),
    ],
    [{ comment: '2', revision: 'hash', command: 'stop', outcome: 'obeyed', done: true }],
  );
  expect(heard.map(({ kind, author, delivered }) => `${kind} by ${author}: ${delivered}`)).toEqual([
    'deleted by dave: true',
    'added by alice: true',
    'edited by alice: true',
    'added by bob: true',
    'added by null: false',
    'added by carol: false',
  ]);
  expect(heard.map(({ url }) => url?.at(-1))).toEqual([undefined, '1', '1', '2', '3', '4']);
  expect(heard.map(({ command }) => command?.name)).toEqual([
    ...[undefined, undefined, undefined],
    ...['stop', undefined, undefined],
  ]);
});

it('finds what the record says of a change, with its command, and not of an earlier one of the same comment [NX-160]', () => {
  const heard = listHeard(
    [
      { opening: null, observations: [observed('1', 'alice'), observed('2', 'bob')] },
      delivery(true, '1'),
      { opening: null, observations: [observed('1', 'alice', { kind: 'edited' })] },
      // The change is a later edit than this one.
      delivery(true, '1', 'edited'),
    ],
    [{ comment: '2', revision: 'hash', command: 'stop', outcome: 'obeyed', done: true }],
  );
  const said = { author: null, body: '', createdAt: '2026-01-01T00:09:00Z', updatedAt: null };
  const change = (kind: 'added' | 'edited', id: string) =>
    ({ kind, revision: 'hash', previousBody: null, comment: { ...said, id } }) as const;
  expect(findHeard(change('edited', '1'), heard)).toMatchObject({ author: 'alice', delivered: false });
  expect(findHeard(change('added', '2'), heard)).toMatchObject({ command: { name: 'stop' } });
  expect(findHeard(change('added', '3'), heard)).toEqual({
    ...{ id: '3', kind: 'added', author: null, createdAt: said.createdAt, url: null },
    ...{ command: null, delivered: false },
  });
});

it('names an edit once, whose author was not known when it was told, and no comment beside it [NX-88, NX-160]', () => {
  const heard = listHeard(
    [
      { opening: { historyUntil: null }, observations: [observed('1', 'alice')] },
      { opening: null, observations: [observed('1', 'alice', { kind: 'edited', authority: 'unknown' })] },
      delivery(true, '1', 'edited'),
      { opening: null, observations: [observed('1', 'alice')] },
      delivery(true, '1'),
    ],
    [],
  );
  expect(heard).toMatchObject([{ id: '1', kind: 'edited', delivered: true }]);
});

it('is told whole where only that its author may not steer came later; that they may is told of the same words [NX-88, NX-160]', () => {
  const comment = { id: '1', author: null, body: '', createdAt: '2026-01-01T00:01:00Z', updatedAt: null };
  const change = { kind: 'added', revision: 'hash', previousBody: null, corrects: true, comment } as const;
  const end = { finalCommentId: null, endedAt: '2026-01-01T00:02:00Z' };
  const trusted = { ...change, authority: 'trusted' } as const;
  const undelivered = [{ ...change, authority: 'untrusted' } as const, trusted];
  expect(findUnanswered({ undelivered, ledger: [], end })).toEqual([trusted]);
  for (const kind of ['added', 'edited'] as const) {
    const found = { opening: null, observations: [observed('1', 'alice', { kind })] };
    const heard = listHeard([found, delivery(true, '1', kind)], []);
    expect(findHeard(trusted, heard)).toMatchObject({ kind, delivered: true });
  }
});
