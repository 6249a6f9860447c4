import { describe, expect, it } from 'vitest';
import { mergeShapes, toBodyShape, toShape } from './shape.ts';

const known = new Set([
  'id',
  'user',
  'login',
  'labels',
  'name',
  'state',
  'created_at',
  'parameters',
  'files',
  'type',
]);
const isKnown = (key: string): boolean => known.has(key);

describe('toShape', () => {
  it('describes values by kind, documented words and forms of times, and what only some entries have', () => {
    const issues = [
      { id: 1, state: 'open', user: { login: 'maria' }, created_at: '2024-05-01T00:00:00Z', labels: [] },
      {
        id: 2,
        state: 'secret',
        user: null,
        created_at: '2024-05-01T00:00:00.000+02:00',
        labels: [{ name: 'x' }],
      },
      { id: 3, state: 'closed', labels: ['a'] },
    ];
    expect(toShape(issues, isKnown)).toEqual({
      $: ['array'],
      '$[]': ['object'],
      '$[].created_at': ['absent', 'time', 'time-with-parts-with-zone'],
      '$[].id': ['number'],
      '$[].labels': ['array'],
      '$[].labels[]': ['object', 'string'],
      '$[].labels[].name': ['string'],
      '$[].state': ['=closed', '=open', 'string'],
      '$[].user': ['absent', 'null', 'object'],
      '$[].user.login': ['string'],
    });
  });

  it('joins unknown keys, and leaves out all keys of objects that users name', () => {
    expect(toShape({ maria: 1, salaries: 'x', parameters: { id: 1 }, files: { name: 1 } }, isKnown)).toEqual({
      $: ['object'],
      '$.?': ['number', 'string'],
      '$.files': ['object'],
      '$.parameters': ['object'],
    });
    expect(toShape({ files: [{ name: 'a' }] }, isKnown)).toHaveProperty(['$.files[].name'], ['string']);
  });

  it('stops at values that are too deep, and at keys of objects without a prototype', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 40; level += 1) deep = { user: deep };
    expect(Object.values(toShape(deep, isKnown)).at(-1)).toEqual(['deeper', 'object']);
    expect(toShape(JSON.parse('{"__proto__":{"constructor":1}}'), isKnown)).toEqual({
      $: ['object'],
      '$.?': ['object'],
      '$.?.?': ['number'],
    });
  });
});

describe('mergeShapes', () => {
  it('marks a key as absent if one of the values lacks it', () => {
    const [one, other] = [toShape({ id: 1, user: { login: 'a' } }, isKnown), toShape({ id: null }, isKnown)];
    expect(mergeShapes([one, other])).toEqual({
      $: ['object'],
      '$.id': ['null', 'number'],
      '$.user': ['absent', 'object'],
      '$.user.login': ['string'],
    });
  });
});

describe('toBodyShape', () => {
  it.each([
    ['', 'application/json', ['empty']],
    ['{"id":1,"bo', 'application/json', ['broken']],
    ['<html>', 'text/html; charset=utf-8', ['html']],
    ['error code: 1015', 'text/plain', ['text']],
    ['data: {"id":1\n\n', 'text/event-stream', ['broken']],
    [null, 'application/json', ['unread']],
  ])('describes the body %j of type %s by its kind', (text, contentType, kinds) => {
    expect(toBodyShape({ text, contentType }, isKnown)).toEqual({ $: kinds });
  });

  it('describes events together', () => {
    const text = 'event: x\ndata: {"type":"ping"}\n\ndata: {"type":"own","id":1}\r\n\r\ndata: [DONE]\n\n';
    expect(toBodyShape({ text, contentType: 'text/event-stream' }, isKnown)).toEqual({
      $: ['events'],
      '$[]': ['object'],
      '$[].id': ['absent', 'number'],
      '$[].type': ['=ping', 'string'],
    });
  });
});
