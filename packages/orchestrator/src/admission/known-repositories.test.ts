import { createMemoryStorage } from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import { createKnownRepositories, UnacceptedRepositoryError } from './known-repositories.ts';

const open = () => createKnownRepositories(createMemoryStorage().notes);
const shop = { host: 'github.com', path: 'acme/shop', id: '7' };
const again = { ...shop, path: 'Acme/Shop', id: '12' };

describe('a repository name', () => {
  it('belongs to the first repository that is seen under it, and to that one after a rename [NX-28]', async () => {
    const known = open();
    await known.require(shop);
    await known.require(shop);
    await known.require({ ...shop, path: 'acme/renamed' });
    await known.require({ ...shop, host: 'github.example.com', id: '12' });
    expect(await known.listRefused()).toEqual([]);
  });

  it('is refused to another repository until an operator accepts that one [NX-28]', async () => {
    const known = open();
    await known.require(shop);
    await expect(known.require(again)).rejects.toThrow(UnacceptedRepositoryError);
    await expect(known.require(again)).rejects.toThrow('agent-daemon accept Acme/Shop');
    expect(await known.listRefused()).toEqual(['acme/shop']);
    expect(await known.accept('acme/other')).toBe(0);
    expect(await known.accept('ACME/shop')).toBe(1);
    await known.require(again);
    expect([await known.listRefused(), await known.accept('acme/shop')]).toEqual([[], 0]);
    await expect(known.require({ ...shop, id: '99' })).rejects.toThrow(UnacceptedRepositoryError);
  });

  it('is accepted from a platform without ids', async () => {
    const known = open();
    await known.require({ ...shop, id: null });
    await known.require(shop);
  });
});
