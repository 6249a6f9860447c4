import { describe, expect, it } from 'vitest';
import { findMedian, findPercentile } from './statistics.ts';

describe('findMedian', () => {
  it('is the middle value, whatever the order', () => {
    expect(findMedian([9, 1, 5])).toBe(5);
  });

  it('is the mean of both middles of an even number of values', () => {
    expect(findMedian([10, 1, 2, 4])).toBe(3);
  });

  it('refuses to make a figure out of nothing', () => {
    expect(() => findMedian([])).toThrow('no values');
  });
});

describe('findPercentile', () => {
  it('is the value at the nearest rank, compared as a number', () => {
    const values = [11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1];
    expect(findPercentile(values, 0.9)).toBe(10);
    expect(findPercentile(values, 0.5)).toBe(6);
  });

  it('stays within the values at both ends', () => {
    expect(findPercentile([3, 1, 2], 0)).toBe(1);
    expect(findPercentile([3, 1, 2], 1)).toBe(3);
  });
});
