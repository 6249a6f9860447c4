import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }));

describe('repairJson', () => {
  it('leaves what is whole as it is', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value, null, 2);
        expect(repairJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['quotes in a string', '{"a": "say "hi" there", "b": 1}', { a: 'say "hi" there', b: 1 }],
    ['a quoted word before a comma', '{"a": "the "x", and y", "b": 1}', { a: 'the "x", and y', b: 1 }],
    ['Japanese brackets of quotes', '{“a”: “合計”、“b”: 1}', { a: '合計', b: 1 }],
    ['full-width signs', '{"a"： "合計"，　"b"： ["い"，"ろ"]}', { a: '合計', b: ['い', 'ろ'] }],
    ['a string without its end', '{"a": "b, "c": "d"}', { a: 'b', c: 'd' }],
    ['a line without its end', '{"a": "b\n "c": "d"}', { a: 'b', c: 'd' }],
    ['no commas between lines', '{"a": "b"\n"c": [1\n"d"\n{}]}', { a: 'b', c: [1, 'd', {}] }],
    ['no comma at all', '{"a":"b""c":"d"}', { a: 'b', c: 'd' }],
    ['no colon', '{"a" "b", "c" {"d": 1}}', { a: 'b', c: { d: 1 } }],
    ['commas too many', '{,"a": [1,,2,],,}', { a: [1, 2] }],
    ['a bracket of another kind', '{"a": [1, 2}, "b": 3}', { a: [1, 2], b: 3 }],
    [
      'the same within an object',
      '{"a": {"b": ["x", "y"}, "c": 1}, "d": 3}',
      { a: { b: ['x', 'y'], c: 1 }, d: 3 },
    ],
    ['an array that is not closed', '{"a": {"b": [1, 2}, "c": 3}', { a: { b: [1, 2] }, c: 3 }],
    ['an array of such objects', '{"a": [{"b": [1}, {"b": [2]}]}', { a: [{ b: [1] }, { b: [2] }] }],
    ['a brace too many within', '{"a": {"b": 1}}, "c": 2}', { a: { b: 1 }, c: 2 }],
    ['more of them', '{"a": {"b": [1]}}}, "c": 2}, "d": 3}', { a: { b: [1] }, c: 2, d: 3 }],
    ['a bracket too many within', '{"a": [1]], "c": 2}', { a: [1], c: 2 }],
    ['a brace too many at the end', '{"a": 1}} and more', { a: 1 }],
    ['two colons', '{"a":: true, "b": 1}', { a: true, b: 1 }],
    ['a key whose last quote is missing before a list', '{"a: [{"b": 1}], "c": 2}', { a: [{ b: 1 }], c: 2 }],
    ['a key whose last quote is written twice', '{"a"": [1], "c": 2}', { a: [1], c: 2 }],
    [
      'no comma and no space',
      '{"id": 1"goal": "x", "ok": true"why": "y"}',
      { id: 1, goal: 'x', ok: true, why: 'y' },
    ],
    ['a semicolon behind a number', '{"a": 1;"b": 2}', { a: 1, b: 2 }],
    ['no last brace', '{"a": {"b": 2}', { a: { b: 2 } }],
    ['no comma behind a number', '{"id": 1 "goal": "x", "n": 2 m: 3}', { id: 1, goal: 'x', n: 2, m: 3 }],
    [
      'no comma behind a word',
      '{"ok": true "why": "y", "no": null "a": []}',
      { ok: true, why: 'y', no: null, a: [] },
    ],
    ['no commas between items', '{"a": [1 2 -3.5 true "b"]}', { a: [1, 2, -3.5, true, 'b'] }],
    ['no colon before a number', '{"a" 2, "b" true}', { a: 2, b: true }],
    [
      'words in capitals',
      '{"a": TRUE, "b": Null, "c": FALSE, "d": none}',
      { a: true, b: null, c: false, d: null },
    ],
    ['an object that is not closed', '{"a": [{"b": 1], "c": 2}', { a: [{ b: 1 }], c: 2 }],
    ['braces twice', '{{"a": 1}}', { a: 1 }],
    ['words of Python', '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
    ['bare words', '{a: fix the bug, b: -.5, c: 2., d: 80%}', { a: 'fix the bug', b: -0.5, c: 2, d: '80%' }],
    ['comments', '{"a": 1, // so\n# and so\n"b": /* or so */ 2 /* and', { a: 1, b: 2 }],
    ['dots for more', '{"a": [1, 2, ...], …}', { a: [1, 2] }],
    ['strings put together', '{"a": "b" + "c" +\n "d", "e": 1}', { a: 'bcd', e: 1 }],
    ['lines in a string', '{"a": "b\nc\td"}', { a: 'b\nc\td' }],
    ['escapes that are none', '{"a": "\\d\\\'\\u12 \\u0041"}', { a: "\\d'\\u12 A" }],
    ['escaped quotes', '{\\"a\\": \\"b\\\\n\\", \\"c\\": [1]}', { a: 'b\n', c: [1] }],
    ['keys without values', '{"a", "b": , "c": 1, d}', { c: 1 }],
    ['a key that is no key', '{"__proto__": {"a": 1}, "b": 2,}', JSON.parse('{"__proto__":{"a":1},"b":2}')],
    ['brackets at the end of an open string', '{"a": {"b": ["c}]}', { a: { b: ['c'] } }],
    ['a key without its first quote', '{a": 1, b": "c"}', { a: 1, b: 'c' }],
    ['a key without its last quote', '{"a: "b", "c": 1}', { a: 'b', c: 1 }],
    ['words between entries', '{"a": true, NOTE "b": "c" NOTE }', { a: true, b: 'c' }],
    ['texts without quotes', '{"a": b, c. "d": e, "f": g {h} i}', { a: 'b, c.', d: 'e', f: 'g {h} i' }],
    ['lists that go on', '{"a": [1], [2], "b": 3}', { a: [1, 2], b: 3 }],
    [
      'a row without its first bracket',
      '{"a": [["b"], "c", "d"], ["e"]]}',
      { a: [['b'], ['c', 'd'], ['e']] },
    ],
    ['an object in a list without its first brace', "{'a': ['b': {'c': 1}]}", { a: [{ b: { c: 1 } }] }],
    [
      'lists of Python',
      '{"a": (1, 2), "b": ("c", None), "d": (see below)}',
      { a: [1, 2], b: ['c', null], d: '(see below)' },
    ],
    ['quotes written twice', '{""a"": ""b"", ""c"": 1}', { a: 'b', c: 1 }],
    ['a comment before the last brackets', '{"a": {"b": "c" # so }, "d": 1}', { a: { b: 'c' }, d: 1 }],
    ['a number that breaks off', '{"a": 2e', { a: 2 }],
    ['an end anywhere', '{"a": [{"b": "c", "d": tr', { a: [{ b: 'c', d: 'tr' }] }],
  ])('repairs %s', (_, text, whole) => {
    expect(repairJson(text)).toEqual(whole);
  });

  it('looks at so many things of a hostile answer and no more, and keeps what stands before them', () => {
    for (const piece of [
      '"c" ',
      '"c",',
      '{},',
      '1,',
      '{"d":',
      '[',
      '/**/',
      '“x\n',
      '\n"a',
      '"+',
      "',",
      '","',
    ]) {
      const { a, b } = repairJson(`{"a": 1, "b": [${piece.repeat(100_000)}`);
      expect([a, Array.isArray(b) && b.length <= 5_000], piece).toEqual([1, true]);
    }
  });

  it('always gives an object, whatever follows the brace', () => {
    const pieces = fc.constantFrom(...'{}[]:,"\'“”\\+/*#.`= \n0a', '：', '，', '\\u', '//', '=>', '"a":');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 300 }), (written) => {
        const repaired = repairJson(`{${written.join('')}`);
        expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype);
        expect(() => JSON.stringify(repaired)).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});
