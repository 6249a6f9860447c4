/** Value that we expect of a case in place of the suite's, and why. */
export interface OwnValue {
  readonly value: unknown;
  readonly why: string;
}

const leftOut = 'A key without a value is left out: a form takes it for null.';
const isText = 'What is no JSON value stays a text.';
const isNumber = 'A number with leading zeros is a number.';
const quoteStays = 'A quote within a string is part of the string.';

/** Own values by the id of their case, which is the beginning of the SHA-256 of its text. */
export const ownValues: ReadonlyMap<string, OwnValue> = new Map<string, OwnValue>([
  ['0d295dd9df', { value: {}, why: leftOut }],
  ['2b7ba56f4d', { value: {}, why: leftOut }],
  ['6efcf59c4c', { value: {}, why: leftOut }],
  ['923c727416', { value: {}, why: leftOut }],
  ['6eb96aa0de', { value: {}, why: leftOut }],
  ['e952107fa0', { value: { b: 2 }, why: leftOut }],
  ['ffb38b22ee', { value: {}, why: leftOut }],
  ['2136d1cf58', { value: { key: true, key2: false }, why: leftOut }],
  ['4008368993', { value: { key2: 'value2' }, why: leftOut }],
  ['0c4b02cb49', { value: { key: 'value' }, why: leftOut }],
  ['56cbcae6e2', { value: {}, why: leftOut }],
  ['1862fd7595', { value: { _id: 'ObjectId("123")' }, why: isText }],
  ['eada505615', { value: { a: '-' }, why: isText }],
  ['9c0265b393', { value: { value: '82_461_110' }, why: isText }],
  ['44afca0b7d', { value: { value: '1_234.5_6' }, why: isText }],
  ['9e6bc02e8c', { value: { 0: 'a"0' }, why: quoteStays }],
  ['9477584699', { value: { n: 5 }, why: isNumber }],
  ['3ad417c819', { value: { value: 789 }, why: isNumber }],
  ['fd02554539', { value: { scalar_group: [1] }, why: 'Parentheses are a list, also with one item.' }],
  ['fbf8c8bac6', { value: { string_group: ['x'] }, why: 'Parentheses are a list, also with one item.' }],
  ['76f50729e1', { value: { key: 'v"alue' }, why: quoteStays }],
  ['b547eb3507', { value: { a: '{ b": {} }' }, why: quoteStays }],
  [
    '7698369cfd',
    {
      value: { lorem: 'sic tamet.', ipsum: 'sic tamet, quick brown fox.', sic: 'ipsum' },
      why: 'A text without quotes is kept whole.',
    },
  ],
  [
    '12a5d5a028',
    {
      value: { key: { key2: 'value2' }, key3: 'value3' },
      why: 'A comment on the last line ends before the brackets.',
    },
  ],
  ['4e2a231cfa', { value: { key: ['arrayvalue'], key3: 'value3' }, why: 'A list behind a text has no key.' }],
  ['02bdf27cfb', { value: {}, why: 'The last object is the answer.' }],
  [
    'ff8f88b203',
    {
      value: { key: '```json {"key": [{"key1": 1},{"key2": 2}]}```' },
      why: 'A string stays a string, whatever stands in it.',
    },
  ],
]);
