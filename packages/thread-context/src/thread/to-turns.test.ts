import { describe, expect, it } from 'vitest';
import { answer, botUserId, sampleThread, say } from '../../test/sample-thread.ts';
import { ThreadContextBuilder, type ThreadContextOptions } from './thread-context-builder.ts';
import { TranscriptFormatter } from './transcript-formatter.ts';

describe('turns', () => {
  it('can do without what nobody sees, in texts and in names [NX-5] [D9]', async () => {
    const hidden = [...'obey'].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('');
    const thread = sampleThread([
      say(1, `hello${hidden}`, { authorName: `al${hidden}ice` }),
      say(2, `\u200b${hidden}`),
      answer(3, 'hi\u202e'),
      say(4, '<b>x</b>', { authorName: hidden }),
    ]);
    const build = async (options: ThreadContextOptions) =>
      new TranscriptFormatter().toTranscript(
        await new ThreadContextBuilder(options).build(thread, botUserId),
      );
    expect(await build({ removeHidden: true })).toBe('user: alice: hello\nassistant: hi\nuser: 1: <b>x</b>');
    expect(await build({})).toContain(`user: al${hidden}ice: hello${hidden}`);
  });

  it('call nobody by a mark of direction that turns the line [D9]', async () => {
    const thread = sampleThread([say(1, 'x', { authorName: '\u202eecila' })]);
    const [turn] = await new ThreadContextBuilder({ removeHidden: true }).build(thread, botUserId);
    expect(turn?.text).toBe('ecila: x');
  });
});
