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

  it('tells the tools of two servers apart', async () => {
    const known = createKnownMcpTools(createMemoryStorage().notes);
    await known.check('box', tools('a'));
    expect(await known.check('desk', tools('c'))).toEqual(new Set());
  });
});
