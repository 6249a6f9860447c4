import { describe, expect, it } from 'vitest';
import { findExample, listImportedPackages } from './readme-example.ts';

describe('findExample', () => {
  it('takes the first TypeScript block', () => {
    const markdown = '# A\n\n```sh\nnpm i\n```\n\n```ts\nconst a = 1;\n```\n\n```ts\nconst b = 2;\n```\n';
    expect(findExample(markdown)).toBe('const a = 1;\n');
  });

  it('finds none in shell commands, TSX, or prose', () => {
    expect(findExample('```sh\nts\n```\n```tsx\n<a />\n```\n')).toBeNull();
  });
});

describe('listImportedPackages', () => {
  it('names packages once, whatever part of them is imported', () => {
    const example = [
      "import { a } from '@agent/a';",
      "import { b } from '@agent/a/testing';",
      "import { generateText } from 'ai';",
      "import { readFile } from 'node:fs/promises';",
      "import 'ai/test';",
    ].join('\n');
    expect(listImportedPackages(example)).toEqual(['@agent/a', 'ai']);
  });
});
