import { createMemoryStorage } from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import { createBudgets, parseBudget, toAllowBudget } from './budgets.ts';

describe('parseBudget', () => {
  it.each([
    ['5', 5_000_000],
    ['0.50', 500_000],
    ['5,50', 5_500_000],
    ['5,5', 5_500_000],
    ['$5', 5_000_000],
    ['$ 5.', 5_000_000],
    ['US$5', 5_000_000],
    ['5 USD', 5_000_000],
    ['5usd!', 5_000_000],
    ['5 dollars', 5_000_000],
    ['5ドル', 5_000_000],
    ['５ドル。', 5_000_000],
    ['５', 5_000_000],
    ['12.345678', 12_345_678],
    ['0', 0],
    ['', null],
    ['-5', null],
    ['+5', null],
    ['five', null],
    ['5 or so please', null],
    ['1e9', null],
    ['5k', null],
    ['5 cents', null],
    ['5万', null],
    ['1,000', null],
    ['5 6', null],
    ['#5', null],
    ['€5', null],
    ['5 EUR', null],
    ['500円', null],
    ['NaN', null],
    ['99999999', null],
    ['0.0000001', null],
  ])('reads the amount behind /budget: %j [NX-249]', (written, micros) => {
    expect(parseBudget(written, 'USD')).toBe(micros);
  });

  it('reads the currency that is configured, of whatever name [NX-249]', () => {
    expect(parseBudget('500円', 'JPY')).toBe(500_000_000);
    expect(parseBudget('￥500', 'JPY')).toBe(500_000_000);
    expect(parseBudget('€ 5', 'EUR')).toBe(5_000_000);
    expect(parseBudget('5 credits', 'Credits')).toBe(5_000_000);
    expect(parseBudget('$5', 'Credits')).toBeNull();
  });
});

describe('toAllowBudget', () => {
  const thread = { host: 'github.com', taskKeyText: 'github_issue:acme:shop:7' };

  it('allows a thread an amount, up to the most that a command may allow [NX-198]', async () => {
    const budgets = createBudgets(createMemoryStorage().notes);
    const allow = toAllowBudget({ budgets, limits: { by_command: 10 }, currency: 'USD' }, thread);
    expect(await budgets.read(thread)).toBeNull();
    expect(await allow?.('10')).toBe(true);
    expect(await budgets.read(thread)).toBe(10_000_000);
    expect(await allow?.('10.01')).toBe(false);
    expect(await allow?.('lots')).toBe(false);
    expect(await budgets.read(thread)).toBe(10_000_000);
    expect(await budgets.read({ ...thread, host: 'example.org' })).toBeNull();
  });

  it('is no command where nothing costs anything', () => {
    expect(toAllowBudget(null, thread)).toBeUndefined();
  });
});
