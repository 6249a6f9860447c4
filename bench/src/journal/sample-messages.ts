import type { ModelMessage } from 'ai';

/** What the tools of a run give back: the last lines of commands, or files of up to eighty lines. */
export type SampleKind = 'short' | 'long';

const remark = 'The total forgets the quantity. I read the next file, and the test that belongs to it. ';
const reportLine = 'ok 17 - the total of an order counts each line as often as it was ordered\n';
const sourceLine = 'export const total = (lines) => lines.reduce((sum, line) => sum + line.price, 0);\n';
const outputs = {
  short: (index: number) => reportLine.repeat(index % 4),
  long: (index: number) => sourceLine.repeat((index * 7) % 81),
};

/** Messages as a run has them: answers that call a tool, each followed by what the tool gave back. */
export function sampleMessages(count: number, kind: SampleKind): readonly ModelMessage[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? toAnswer(index) : toResult(index, outputs[kind]((index - 1) / 2)),
  );
}

function toAnswer(index: number): ModelMessage {
  const path = `src/orders/total-${index}.js`;
  return {
    role: 'assistant',
    content: [
      { type: 'text', text: remark },
      { type: 'tool-call', toolCallId: `call-${index}`, toolName: 'read_file', input: { path } },
    ],
  };
}

function toResult(index: number, value: string): ModelMessage {
  return {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: `call-${index - 1}`,
        toolName: 'read_file',
        output: { type: 'text', value },
      },
    ],
  };
}
