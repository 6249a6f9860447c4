import { describe, expect, it } from 'vitest';
import { toPictureId } from '../pictures/run-pictures.ts';
import { redactPerson } from './redact-person.ts';

const person = { logins: ['sam', 'sam-old'], ids: ['7'], lines: ['The door code is 4711.'], pictures: [] };
const redact = (value: Parameters<typeof redactPerson>[0]) => redactPerson(value, { person });

describe('redactPerson', () => {
  it('replaces the login as a word, with and without @, and no part of another word [NX-423]', () => {
    expect(
      redact({ content: 'Ask @Sam, sam or sam-old; not samuel, sam.ts, @sam-new or the same.' }),
    ).toEqual({
      content: 'Ask [erased], [erased] or [erased]; not samuel, sam.ts, @sam-new or the same.',
    });
  });

  it('keeps repositories, branches and values that programs compare [NX-423]', () => {
    const kept = {
      task_key: { owner: 'sam', repo: 'shop' },
      url: 'https://github.com/sam/shop/issues/1',
      branch: 'agent/sam',
      status: 'sam',
      text: 'See https://github.com/sam/shop/issues/1 there.',
    };
    expect(redact(kept)).toEqual(kept);
  });

  it('finds an account by its id under another login, and a text by its author [NX-423]', () => {
    const said = { id: '1', author: { id: '7', login: 'new-name', kind: 'person' }, body: 'Hi' };
    expect(redact([said, { ...said, author: { id: '8', login: 'eve' } }])).toEqual([
      { id: '1', author: { id: '[erased]', login: '[erased]', kind: 'person' }, body: '[erased]' },
      { id: '1', author: { id: '8', login: 'eve' }, body: 'Hi' },
    ]);
  });

  it('replaces quoted lines and whole envelopes, and leaves those of other users [NX-423]', () => {
    const wrap = (author: string, text: string) =>
      `===== BEGIN TEXT kqrtbnhdsmcpgflj | author: @${author} | authority: trusted =====\n${text}\n===== END TEXT kqrtbnhdsmcpgflj =====`;
    const content = [wrap('sam', 'My words'), wrap('eve', '> The door code is 4711.\n\nNo.')].join('\n');
    expect(redact({ content })).toEqual({
      content: [wrap('sam', '[erased]').replace('@sam', '[erased]'), wrap('eve', '> [erased]\n\nNo.')].join(
        '\n',
      ),
    });
  });

  it('removes the pictures of the person, and no other [NX-423]', () => {
    const address = 'https://host/1.png';
    const id = toPictureId(address);
    const options = { person: { ...person, pictures: [id] } };
    expect(redactPerson('bytes', { ...options, state: `pictures/${id}` })).toBe('');
    expect(redactPerson('bytes', { ...options, state: 'pictures/0000' })).toBe('bytes');
    const facts = { [address]: { bytes: 3 }, 'https://host/2.png': { bytes: 4 } };
    expect(redactPerson(facts, { ...options, state: 'pictures.json' })).toEqual({
      'https://host/2.png': { bytes: 4 },
    });
  });
});
