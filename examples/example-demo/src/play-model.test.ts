import type { ConversationView } from '@agent/simulators/model';
import { describe, expect, it } from 'vitest';
import { demoFault, demoRounding } from './demo-project.ts';
import { playModel } from './play-model.ts';

/** Plays with an issue on which the agent wrote this. */
function play(...written: readonly string[]) {
  const comments = written.map((body) => ({ author: 'shop-agent', body }));
  const said: string[] = [];
  const played = playModel({
    forge: {
      issue: () => ({
        ...{ reference: '#1', number: 1, title: 'T', body: null, labels: [], changeRequest: null },
        comments,
      }),
      comment: (author, body) => void comments.push({ author, body }),
    },
    timeline: {
      modelSays: (text) => void said.push(`model: ${text.split('\n').at(-1)}`),
      personSays: (who, text) => void said.push(`${who}: ${text}`),
    },
  });
  return { ...played, comments, said };
}

const view = (fields: Partial<ConversationView>): ConversationView => ({
  ...{
    api: 'chat',
    model: 'm',
    instructions: demoFault.wrong,
    messages: [],
    exchanges: [],
    tools: ['edit_file'],
  },
  turns: 1,
  ...fields,
});
const failed = [
  {
    ...{ id: 'c', name: 'edit_file', output: 'old_text does not occur' },
    input: { old_text: '  return takeOff(total, percent);' },
  },
];
const marker = '<!-- agent-comment: run:1:status -->';
const notice = `${marker}\nIf one is wrong, comment \`/reject A3 reason\`.`;

describe('playModel', () => {
  it('answers what is asked before the first step, and remembers with what that began', () => {
    const { script, observed, said } = play(`${marker}\nUnderstood.`);
    const instructions = 'You prepare the work of a coding agent. Say what is reasonable to assume';
    expect(script(view({ instructions })).text).toContain('"assumption"');
    expect(observed()).toMatchObject({ questions: ['assumption'], firstStep: '' });
    script(view({ messages: [{ role: 'user', text: 'Mend it.' }] }));
    script(view({ messages: [{ role: 'user', text: 'Later.' }], exchanges: failed }));
    expect(observed()).toEqual({
      questions: ['assumption'],
      firstStep: `${demoFault.wrong}\n\nMend it.`,
      toldBefore: `${marker}\nUnderstood.`,
      objected: false,
    });
    expect(said[0]).toBe('model: What may be assumed of “”: nothing.');
  });

  it('has mika do once, when an action has failed, what the comment offers', () => {
    const { script, observed, comments, said } = play(notice);
    script(view({}));
    expect(comments).toHaveLength(1);
    script(view({ exchanges: failed }));
    script(view({ exchanges: failed }));
    const body = `/reject A3 ${demoRounding.objection}`;
    expect(comments.slice(1)).toEqual([{ author: 'mika', body }]);
    expect(said.filter((line) => line.startsWith('mika'))).toEqual([`mika: ${body}`]);
    expect(observed().objected).toBe(true);
  });

  it('has nobody object where nothing was assumed', () => {
    const { script, observed, comments } = play(`${marker}\nUnderstood.`);
    script(view({ exchanges: failed }));
    expect(comments).toHaveLength(1);
    expect(observed().objected).toBe(false);
  });
});
