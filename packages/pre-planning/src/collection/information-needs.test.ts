import { describe, expect, it } from 'vitest';
import { needsAnswer as answer, writtenNeed as item } from '../../test/needs-answer.ts';
import { informationNeedsSchema } from './information-needs.ts';
import { normalizeNeeds } from './plan-collection.ts';

const normalize = (needs: object, maxItems = 50) =>
  normalizeNeeds(informationNeedsSchema.parse({ information_needs: needs }).information_needs, {
    maxItems,
    noNeeds: 'nothing',
  });

describe('informationNeedsSchema', () => {
  it('takes an answer in the form of the seed as it is [PP-18] [PP-14] [PP-15] [PP-16]', () => {
    for (const category of ['codebase', 'context', 'external']) {
      const written = { ...answer.information_needs, required_information: [{ ...item, category }] };
      expect(informationNeedsSchema.parse({ ...answer, information_needs: written })).toEqual({
        ...answer,
        information_needs: { ...written, left_out: 0 },
      });
    }
  });

  it('takes what models make of it, and counts what is no item [PP-18]', () => {
    const { needs, omitted } = normalize({
      required_information: [
        { id: 7, category: 'kitchen', collection_method: 'grep', can_assume: 'no' },
        'the rules of the house',
        null,
        { id: 'c', description: '…' },
        { id: 'b', collection_method: { tool: 'grep', parameters: '{"pattern":"x"}' }, can_assume: 'はい' },
      ],
    });
    expect(omitted).toBe(2);
    expect(needs.required_information).toMatchObject([
      {
        id: 'info_7',
        category: 'codebase',
        collection_method: { tool: 'grep', parameters: {} },
        can_assume: false,
      },
      { id: 'info_2', description: 'the rules of the house', collection_method: { tool: '' } },
      { id: 'b', collection_method: { tool: 'grep', parameters: { pattern: 'x' } }, can_assume: true },
    ]);
  });

  it.each([
    ['a list as the purpose', { purpose: ['a', 'b'] }, { purpose: 'a, b' }],
    [
      'an object as the default',
      { default_assumption: { runner: 'Vitest' } },
      { default_assumption: 'runner: Vitest' },
    ],
    ['a list as the default', { default_assumption: ['a', 'b'] }, { default_assumption: 'a, b' }],
    ['a list of methods', { collection_method: [item.collection_method] }, {}],
    [
      'a method in the words of calls',
      { collection_method: { tool_name: 'read_file', args: '{"path":"total.js"}' } },
      {},
    ],
    ['no purpose', { purpose: null }, { purpose: '' }],
  ])('takes an item with %s [PP-18]', (_, written, read) => {
    const { needs, omitted } = normalize({ required_information: [{ ...item, ...written }] });
    expect([needs.required_information, omitted]).toEqual([[{ ...item, ...read }], 0]);
  });

  it.each([
    ['one item alone', item],
    ['items under their ids', { info_1: { ...item, id: undefined } }],
  ])('takes %s for a list [PP-18]', (_, required_information) => {
    const { required_information: items } = normalize({ required_information }).needs;
    expect(items).toEqual([item]);
  });

  it.each([
    [true, true],
    ['はい', true],
    ['YES', true],
    [1, true],
    [false, false],
    ['不可', false],
    ['maybe', false],
    ['no', false],
    [{}, true],
    [null, true],
    [undefined, true],
  ])('may assume only on a clear yes, or where nothing is said of it: %j [PP-18]', (written, can_assume) => {
    const { required_information: items } = normalize({
      required_information: [{ ...item, can_assume: written }],
    }).needs;
    expect(items[0]).toMatchObject({ can_assume });
  });

  it.each([['none'], [['なし']], [null], [[]]])(
    'takes %j for a plan without items [PP-18]',
    (required_information) => {
      expect(normalize({ required_information })).toMatchObject({
        needs: { required_information: [], skip_collection: true },
        omitted: 0,
      });
    },
  );

  it('refuses a plan none of whose items can be read, unless it says that nothing is needed [PP-18]', () => {
    const information_needs = { required_information: [null, 3, {}, { id: 'a', description: '…' }] };
    const parsed = informationNeedsSchema.safeParse({ information_needs });
    expect(parsed.error?.issues[0]?.message).toBe('no item has a description or a tool');
    expect(informationNeedsSchema.safeParse({ ...information_needs, skip_collection: true }).success).toBe(
      true,
    );
  });
});

describe('normalizeNeeds', () => {
  it('ignores unknown and repeated ids in the order, and appends missing ones [E12]', () => {
    const required_information = ['a', 'b', 'c'].map((id) => ({ ...item, id }));
    const { needs } = normalize({ required_information, collection_order: ['c', 'x', 'c', 'a'] });
    expect(needs.collection_order).toEqual(['c', 'a', 'b']);
  });

  it.each([
    ['a list', [...Array.from({ length: 60 }, (_, index) => `x${index}`), 'c', 'a']],
    ['one text', 'c → a'],
    ['a list of objects', [{ id: 'c' }, { id: 'a' }]],
  ])(
    'keeps the order of the model, however much else is in it, when it is %s [E12]',
    (_, collection_order) => {
      const required_information = ['a', 'b', 'c'].map((id) => ({ ...item, id }));
      const { needs } = normalize({ required_information, collection_order });
      expect(needs.collection_order).toEqual(['c', 'a', 'b']);
    },
  );

  it('makes ids unique and fit for the names of files', () => {
    const written = ['a', 'a', '../../etc/passwd', '', '__proto__', 'x'.repeat(200), '12'];
    const { needs } = normalize({ required_information: written.map((id) => ({ ...item, id })) });
    const ids = needs.required_information.map(({ id }) => id);
    expect(ids.slice(0, 5)).toEqual(['a', 'a_2', 'info_etc_passwd', 'info_4', 'info__proto__']);
    expect(ids.every((id) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id))).toBe(true);
    expect(ids[6]).toBe('info_12');
    expect(new Set(ids).size).toBe(7);
  });

  it('takes so many items of ten thousand, and says how many it left', () => {
    const required_information = Array.from({ length: 10_000 }, () => item);
    const { needs, omitted } = normalize({ required_information });
    expect([needs.collection_order.length, omitted]).toEqual([50, 9_950]);
    const partly = normalize({ required_information: [item, null, item, null] }, 1);
    expect(partly.omitted).toBe(3);
  });

  it('skips where the model says so, and where it names nothing [PP-19]', () => {
    const skip = { required_information: [item], skip_collection: true, skip_reason: 'one line' };
    expect(normalize(skip).needs).toEqual({
      required_information: [],
      collection_order: [],
      skip_collection: true,
      skip_reason: 'one line',
    });
    expect(normalize({}).needs).toMatchObject({ skip_collection: true, skip_reason: 'nothing' });
  });
});
