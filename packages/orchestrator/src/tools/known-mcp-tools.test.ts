import { createMemoryStorage } from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import { createKnownMcpTools } from './known-mcp-tools.ts';

const tools = (show: string) => new Map(Object.entries({ show, list: 'b' }));

describe('KnownMcpTools', () => {
  it('refuses a changed tool in this and later runs until it is accepted', async () => {
    const { notes } = createMemoryStorage();
    const known = createKnownMcpTools(notes);
    expect(await known.check('box', tools('a'))).toEqual(new Set());
    expect(await known.check('box', tools('c'))).toEqual(new Set(['show']));
    const resumed = createKnownMcpTools(notes);
    expect(await resumed.check('box', tools('c'))).toEqual(new Set(['show']));
    expect(await resumed.listRefused()).toEqual(['mcp:box/show']);
    expect([await resumed.accept('mcp:box/list'), await resumed.accept('mcp:box/show')]).toEqual([0, 1]);
    expect(await known.check('box', tools('c'))).toEqual(new Set());
    expect(await known.listRefused()).toEqual([]);
  });

  it('accepts only the definition that was refused, and forgets it when the tool is as before', async () => {
    const known = createKnownMcpTools(createMemoryStorage().notes);
    await known.check('box', tools('a'));
    await known.check('box', tools('c'));
    expect(await known.check('box', tools('a'))).toEqual(new Set());
    expect(await known.accept('mcp:box/show')).toBe(0);
    await known.check('box', tools('c'));
    await known.accept('mcp:box/show');
    expect(await known.check('box', tools('d'))).toEqual(new Set(['show']));
  });

  it('refuses a tool that a known server adds until it is accepted', async () => {
    const known = createKnownMcpTools(createMemoryStorage().notes);
    await known.check('box', tools('a'));
    const more = new Map([...tools('a'), ['write', 'w']]);
    expect(await known.check('box', more)).toEqual(new Set(['write']));
    expect(await known.listRefused()).toEqual(['mcp:box/write']);
    expect(await known.accept('mcp:box/write')).toBe(1);
    expect(await known.check('box', more)).toEqual(new Set());
  });

  it('refuses the first tools of a server that had none when it was first connected', async () => {
    const known = createKnownMcpTools(createMemoryStorage().notes);
    await known.check('box', new Map());
    expect(await known.check('box', tools('a'))).toEqual(new Set(['show', 'list']));
  });

  it('forgets a refused tool that the server removes, and refuses it when it is back', async () => {
    const known = createKnownMcpTools(createMemoryStorage().notes);
    await known.check('box', tools('a'));
    const more = new Map([...tools('a'), ['write', 'w']]);
    await known.check('box', more);
    await known.check('box', tools('a'));
    expect(await known.listRefused()).toEqual([]);
    expect(await known.check('box', more)).toEqual(new Set(['write']));
  });

  it('tells the tools of two servers apart', async () => {
    const known = createKnownMcpTools(createMemoryStorage().notes);
    await known.check('box', tools('a'));
    expect(await known.check('desk', tools('c'))).toEqual(new Set());
  });
});
