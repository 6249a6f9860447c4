import { describe, expect, it } from 'vitest';
import { openPlaces } from './open-places.ts';

describe('openPlaces', () => {
  it('knows a place that is not named any more from one that was renamed [NX-357]', () => {
    let named: readonly string[] = ['acme/shop', 'acme/old'];
    const places = openPlaces(() => named);
    const old = 'https://github.com/Acme/Old/issues/1';
    expect(places.isRemoved(old)).toBe(false);
    named = ['acme/shop'];
    expect(places.isRemoved(old)).toBe(true);
    expect(places.isRemoved('https://github.com/acme/shop/issues/1')).toBe(false);
    expect(places.isRemoved('https://github.com/acme/renamed/issues/1')).toBe(false);
    named = ['acme/shop', 'acme/OLD'];
    expect(places.isRemoved(old)).toBe(false);
    expect(places.list()).toEqual(named);
  });

  it('takes a subgroup for itself, though its name is that of a group [NX-357]', () => {
    let named: readonly string[] = ['acme/shop', 'group/acme/shop'];
    const places = openPlaces(() => named);
    named = ['acme/shop'];
    expect(places.isRemoved('https://gitlab.com/group/acme/shop/-/issues/1')).toBe(true);
    expect(places.isRemoved('https://gitlab.com/acme/shop/-/issues/1')).toBe(false);
  });
});
