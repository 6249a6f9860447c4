import { describe, expect, it } from 'vitest';
import type { ConversationView } from '../model/index.ts';
import { demoFault, demoRounding } from './demo-project.ts';
import { playModel } from './play-model.ts';

/** Plays with an issue on which the agent wrote this. */
function play(...written: readonly string[]) {
  const comments = written.map((body) => ({ author: 'shop-agent', body, isSeen: false }));
  const said: string[] = [];
  const sleeps: number[] = [];
  const delivered: string[] = [];
  let late: string | null = null;
  const played = playModel({
    forge: {
      issue: () => ({
        ...{ reference: '#1', number: 1, title: 'T', body: null, labels: [], changeRequest: null },
        comments,
      }),
      comment: (author, body) => {
        comments.push({ author, body, isSeen: false });
        return { headers: {}, body: Buffer.from(body) };
      },
    },
    tell: (who, text) => void said.push(`${who}: ${text.split('\n').at(-1)}`),
    deliver: async ({ body }) => void delivered.push(body.toString()),
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      if (late !== null && sleeps.length === 3)
        comments.push({ author: 'shop-agent', body: late, isSeen: false });
    },
  });
  const writeLater = (body: string) => {
    late = body;
  };
  return { ...played, comments, said, sleeps, delivered, writeLater };
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
const failedRequest = {
  body: { input: [{ arguments: '{"old_text":"  return takeOff(total, percent);"}' }] },
};
const marker = '<!-- agent-comment: run:1:status -->';
const offer = `${marker}\nIf one is wrong, comment \`/reject A3 <reason>\`.`;
const notice = `${offer}\n\n- [ ] **task_1**: Fix it`;

describe('playModel', () => {
  it('answers what is asked before the first step, and remembers with what that began', () => {
    const { script, observed, said } = play(`${marker}\nUnderstood.`);
    const instructions = 'You prepare the work of a coding agent. Say what is reasonable to assume';
    expect(script(view({ instructions })).text).toContain('"assumption"');
    expect(observed()).toMatchObject({ questions: ['assumption'], firstStep: '' });
    script(view({ messages: [{ role: 'user', text: 'Fix it.' }] }));
    script(view({ messages: [{ role: 'user', text: 'Later.' }] }));
    expect(observed()).toEqual({
      questions: ['assumption'],
      firstStep: `${demoFault.wrong}\n\nFix it.`,
      toldBefore: `${marker}\nUnderstood.`,
      objected: false,
    });
    expect(said[0]).toBe('model: My assumption about “”: none.');
  });

  it('has mika do once, when an action has failed, what the comment offers, and time to be heard', async () => {
    const { think, observed, comments, said, sleeps, delivered } = play(notice);
    await think({ body: { messages: [] } });
    expect(comments).toHaveLength(1);
    await think(failedRequest);
    await think(failedRequest);
    const body = `/reject A3 ${demoRounding.objection}`;
    expect(comments.slice(1)).toEqual([{ author: 'mika', body, isSeen: false }]);
    expect(said).toEqual([`mika: ${body}`]);
    expect(observed().objected).toBe(true);
    expect(delivered).toEqual([body]);
    expect(sleeps).toEqual([1_050]);
  });

  it.each([`${marker}\nUnderstood.`, offer])(
    'waits for the comment that offers it and shows the plan',
    async (early) => {
      const { think, observed, sleeps, writeLater } = play(early);
      writeLater(notice);
      await think(failedRequest);
      expect(observed().objected).toBe(true);
      expect(sleeps).toEqual([50, 50, 50, 1_050]);
    },
  );

  it('waits until the comment shows the revised plan', async () => {
    const { think, sleeps, writeLater } = play(notice);
    const revised = { body: { input: [{ text: '{"execution_order":["task_1","task_4"]}' }] } };
    writeLater('- [ ] **task_4**: Round once, on the sum');
    await think(revised);
    expect(sleeps).toEqual([]);
    await think(failedRequest);
    await think(revised);
    await think(revised);
    expect(sleeps).toEqual([1_050, 50, 50]);
  });

  it('has nobody object where nothing was assumed', async () => {
    const { think, observed, comments } = play(`${marker}\nUnderstood.`);
    await think(failedRequest);
    expect(comments).toHaveLength(1);
    expect(observed().objected).toBe(false);
  });
});
