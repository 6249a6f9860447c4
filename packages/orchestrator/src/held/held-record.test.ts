import type { RunState } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import { formatHeld } from './format-held.ts';
import {
  allowItems,
  confirmReleased,
  type HeldItem,
  hasAllowedItem,
  readAllowance,
  readAllowed,
  readHeld,
  withdrawAllowed,
  writeHeld,
} from './held-record.ts';

function createState(): Pick<RunState, 'read' | 'write'> {
  const kept = new Map<string, never>();
  return {
    read: async (name) => kept.get(name) ?? null,
    write: async (name, value) => void kept.set(name, JSON.parse(JSON.stringify(value)) as never),
  };
}

const item = (number: number, more: Partial<HeldItem> = {}): HeldItem => ({
  ...{ number, kind: 'path', path: `p${number}`, rule: 'p*', id: `id${number}`, patch: `+${number}\n` },
  ...{ line: null, locked: null, state: 'held', ...more },
});

async function setUp(items: readonly HeldItem[]) {
  const state = createState();
  const keep = async (some: readonly HeldItem[]) =>
    writeHeld(state, { ...(await readHeld(state)), items: [...some] });
  await keep(items);
  return { state, keep, allow: (argument: string) => allowItems(state, { argument, by: 'alice' }) };
}

describe('the command /allow', () => {
  it('allows the items that it names, in any usual form, and all of them or none', async () => {
    const { state, allow } = await setUp([item(1), item(2), item(3)]);
    for (const argument of ['', 'all', 'H', 'H4', 'H1 H4', 'H1;H2', 'p1', 'H0', 'H-1'])
      expect(await allow(argument), argument).toBe(false);
    expect(await readAllowed(state)).toEqual([]);
    expect(await allow('h1, Ｈ3')).toBe(true);
    expect((await readAllowance(state)).patches).toEqual(['id1', 'id3']);
    expect(await allow('H1')).toBe(true);
    expect(await readAllowed(state)).toHaveLength(2);
  });

  it('never allows what is not shown whole, what was pushed, and the secrets of this service', async () => {
    const { allow } = await setUp([
      ...[item(1, { locked: 'long', patch: null }), item(2, { locked: 'own', kind: 'secret', id: '' })],
      ...[item(3, { state: 'released' }), item(4, { state: 'gone' })],
    ]);
    for (const argument of ['H1', 'H2', 'H3', 'H4']) expect(await allow(argument), argument).toBe(false);
  });

  it('is bound to the patch: a changed one has another number and is not allowed', async () => {
    const { state, keep, allow } = await setUp([item(1)]);
    await allow('H1');
    expect(await hasAllowedItem(state)).toBe(true);
    await keep([item(1, { state: 'gone' }), item(2, { path: 'p1', id: 'other' })]);
    expect(await hasAllowedItem(state)).toBe(false);
    expect((await readAllowance(state)).patches).not.toContain('other');
  });

  it('allows a possible secret in one file', async () => {
    const { state, allow } = await setUp([item(1, { kind: 'secret', path: 'a.txt', patch: null })]);
    await allow('H1');
    expect(await readAllowance(state)).toEqual({
      ...{ paths: [], patches: [], secrets: [{ path: 'a.txt', sha256: 'id1' }] },
    });
  });

  it('counts no more once the server refused it, and is remembered once it is pushed', async () => {
    const { state, keep, allow } = await setUp([item(1), item(2)]);
    await allow('H1 H2');
    await keep([item(1, { state: 'allowed' }), item(2)]);
    await withdrawAllowed(state, 'It needs workflows: write.');
    expect((await readAllowance(state)).patches).toEqual(['id2']);
    expect((await readHeld(state)).problem).toBe('It needs workflows: write.');
    await confirmReleased(state);
    expect(await readHeld(state)).toMatchObject({ items: [{ state: 'released' }, {}], problem: null });
  });
});

describe('the section on held changes', () => {
  const options = { locale: 'en', readsComments: true, allowed: [], timeZone: 'UTC' } as const;
  const format = async (items: readonly HeldItem[], more: object = {}) => {
    const { state } = await setUp(items);
    return formatHeld({ ...(await readHeld(state)), ...more }, options);
  };

  it('is empty without any', async () => {
    expect(await format([])).toBe('');
  });

  it('shows each patch whole, in a fence that the patch does not close', async () => {
    const text = await format([item(1, { patch: '+````\n+a\n' })]);
    expect(text).toContain('**H1** `p1` is protected (`p*`).\n\n`````diff\n+````\n+a\n`````');
    expect(text).toContain('`/allow H1`');
  });

  it('says how else an item can be allowed that is not shown', async () => {
    const text = await format([item(1, { patch: null, locked: 'long' })]);
    expect(text).toContain('`/allow p1` and start the task again');
    expect(text).toContain('I do not read comments here');
  });

  it('exists in Japanese', async () => {
    const { state } = await setUp([item(1), item(2, { kind: 'rest', path: 'a\nb' })]);
    const text = formatHeld(
      { ...(await readHeld(state)), until: '2026-03-01T10:00:00Z' },
      { ...options, locale: 'ja' },
    );
    expect(text).toContain('**H1** `p1` は保護されています');
    expect(text).toContain('その他の変更（2 ファイル）');
  });
});
