import type { ModelMessage } from 'ai';

const sourceLine = 'export const total = (lines) => lines.reduce((sum, line) => sum + line.price, 0);\n';
const remark = 'The total forgets the quantity. I read the next file, and the test that belongs to it. ';

/**
 * Messages as a run has them: answers that call a tool, each followed by what the tool gave back, between no line and
 * eighty lines of a file.
 */
export function sampleMessages(count: number): readonly ModelMessage[] {
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? toAnswer(index) : toResult(index)));
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

function toResult(index: number): ModelMessage {
  const value = sourceLine.repeat((index * 7) % 81);
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
