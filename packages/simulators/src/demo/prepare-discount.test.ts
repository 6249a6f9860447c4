import { describe, expect, it } from 'vitest';
import type { ConversationView } from '../model/index.ts';
import { demoRounding } from './demo-project.ts';
import { prepareDiscount } from './prepare-discount.ts';

const prepare = 'You prepare the work of a coding agent. ';

function ask(instructions: string, text: string) {
  const view: ConversationView = {
    api: 'chat',
    model: 'm',
    instructions: prepare + instructions,
    messages: [{ role: 'user', text }],
    exchanges: [],
    tools: [],
    turns: 0,
  };
  return prepareDiscount(view)?.json;
}

const quote = (what: string, text: string) =>
  `${what}:\n===== BEGIN TEXT n | author: @mika =====\n${text}\n===== END TEXT n =====\n`;
const issue = [
  quote('title', 'Too dear'),
  quote('labels', 'bug'),
  quote('description', 'It should be 7.50. See `test/bill.test.js`.'),
].join('');

describe('prepareDiscount', () => {
  it('understands from the issue that it is shown', () => {
    expect(ask('Understand what a request asks for', issue)).toMatchObject({
      request_understanding: {
        task_type: 'bug fix',
        primary_goal: 'Fix “Too dear”: the total should be 7.50',
        expected_deliverables: ['a correct total', 'a passing `test/bill.test.js`'],
        constraints: [],
        understanding_confidence: 0.9,
      },
    });
  });

  it('is less sure where the issue does not say what it should be, and keeps what a comment says', () => {
    const said = `${quote('title', 'Too dear')}The prices on the shelf are right`;
    expect(ask('Understand what a request asks for', said)).toMatchObject({
      request_understanding: {
        task_type: 'change',
        constraints: ['prices on the shelf are right and stay unchanged'],
        understanding_confidence: 0.6,
      },
    });
  });

  it('wants to know the file that the issue names, and asks for tools of several kinds', () => {
    const { information_needs: needs } = ask('Decide what has to be known', issue) as {
      information_needs: {
        required_information: { category: string; collection_method: { tool: string } }[];
      };
    };
    const items = needs.required_information;
    const paths = items.map(({ collection_method: method }) => JSON.stringify(method)).join();
    expect(paths).toContain('test/bill.test.js');
    expect(paths).toContain('src/bill.js');
    expect(new Set(items.map(({ category }) => category))).toEqual(
      new Set(['codebase', 'context', 'external']),
    );
    expect(new Set(items.map(({ collection_method: { tool } }) => tool))).toEqual(
      new Set(['list_files', 'search_files', 'read_file', 'search_threads', 'run_command']),
    );
  });

  it('assumes how totals are rounded from code that it is shown, and nothing else', () => {
    const assume = (text: string) => ask('Say what is reasonable to assume', text);
    expect(assume(`id: rounding\nfound: ${demoRounding.perLine}`)).toMatchObject({
      assumption: { info_id: 'rounding', assumed_value: 'per line', confidence: 0.6 },
    });
    const nothing = { assumption: { assumed_value: '', confidence: 0 } };
    expect(assume('id: rounding\nfound: nothing')).toMatchObject(nothing);
    expect(assume(`id: login\nfound: ${demoRounding.perLine}`)).toMatchObject(nothing);
  });

  it('leaves the steps of the run to others', () => {
    expect(ask('', issue)).toBeUndefined();
  });
});
