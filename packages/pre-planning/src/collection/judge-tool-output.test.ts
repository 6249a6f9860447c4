import { describe, expect, it } from 'vitest';
import { judgeToolOutput } from './judge-tool-output.ts';

const say = (text: unknown, fields: object = {}) => ({ content: [{ type: 'text', text }], ...fields });

describe('judgeToolOutput', () => {
  it.each([
    [''],
    [' \n'],
    [undefined],
    [null],
    [[]],
    [{}],
    ['[]'],
    [{ hits: [] }],
    ['{"items":[],"total":0}'],
    ['{"query":"total","results":{"files":[],"issues":[]},"took_ms":12}'],
    [say('[]')],
    [{ content: [] }],
    ['Error: no such file or directory, open a'],
    ['cat: a: No such file or directory'],
    ['No matches'],
    ['No matches found for "total"'],
    ['No files matched.'],
    ['No matching issues were found.'],
    ['0 results'],
    ['Nothing found.'],
    ['src/empty is empty.'],
    ['total.js has only 12 lines.'],
    ['(no output)'],
    ['"src/a.ts" does not exist.'],
    ['File not found: src/a.ts'],
    ['The file src/a.ts was not found.'],
    ['User not found'],
    ['The page you requested was not found.'],
    ['Could not find file a.ts'],
    ['We could not find any results.'],
    ['Sorry, nothing found'],
    ['None'],
    [{ data: null }],
    ['{"data":{},"note":""}'],
    ['{"data":{"repository":{"issues":{"nodes":[]}}}}'],
    ['{"total_count":0,"incomplete_results":false,"items":[]}'],
    ['{"matches":{}}'],
    ['index.ts does not exist in src'],
    ['404'],
    ['404 Not Found'],
    ['HTTP 404: not found'],
    ['ファイルが見つかりません'],
    ['検索結果はありません'],
    ['該当なし'],
    ['0件'],
    [new Uint8Array([1, 2])],
    ['\u0000\u0001PNG'],
  ])('takes %j for a failure that would repeat itself [E4] [PP-24]', (output) => {
    expect(judgeToolOutput(output)).toMatchObject({ status: 'failed', isTransient: false });
  });

  it.each([
    ['Error: timeout', true],
    ['TypeError: fetch failed\n    at fetch (node:internal)', true],
    ['Error: invalid path', false],
    ['Command failed: exit code 1', true],
    ['エラー: タイムアウト', true],
    [{ success: false, error: 'try again later' }, true],
    ['{"success":false,"message":"unknown method"}', false],
    [{ ok: false, status: 503 }, true],
    [{ error: { code: 404, message: 'gone' } }, false],
    [{ error: 'no such table', code: 1 }, false],
    [{ error: 'overloaded' }, true],
    [{ error: 'Bad Gateway', message: 'the upstream is gone', status: 502 }, true],
    ['{"isError":true,"message":"try again"}', true],
    [say('the printer is on fire', { isError: true }), true],
    [say('permission denied', { isError: true }), false],
  ])('takes %j, an error that came as a result, for one [E4] [PP-24]', (output, isTransient) => {
    expect(judgeToolOutput(output)).toMatchObject({ status: 'failed', isTransient });
  });

  it.each([
    [`export const message = 'User not found';`],
    ['{"404":"does not exist"}'],
    [`expect(x).toBe('no matches')`],
    ['404.html\nindex.html'],
    ['該当なしの場合はエラーにする'],
    ['docs/api.md:12:User not found'],
    ['docs/api.md:12:Returns 404 if the user does not exist'],
    ['1\tNothing found.'],
    ['この関数は値を返す必要はありません'],
    ['{"name":"shop","keywords":[]}'],
    ['{"retries":3,"plugins":[]}'],
    ['{"error":"not found","found":["a"]}'],
    ['{"enabled":false}'],
    ['{"rules":{}}'],
    ['{"compilerOptions":{}}'],
    ['{"dependencies":{}}'],
    ['{"plugins":[]}'],
    ['{"total":3,"items":[]}'],
    ['{"items":[],"totalCount":"12"}'],
    ['{"error":"E_FOO","message":"text of an i18n file"}'],
    ['{"error":{"message":"Something went wrong"}}'],
    ['Failed: 0'],
    ['ValidationError: raised in src/validate.ts when the name is empty'],
    ['index.ts does not exist in src but in lib'],
    ['src/total.js was not found: it moved to lib'],
    ['{"total":0}'],
    ['Find out why it could not find any file, and mend it'],
    ['0'],
    ['false'],
    [`function notFound() { throw new Error('404 not found'); }\n`.repeat(10)],
  ])('takes %j for contents, whatever words are in them [E4]', (output) => {
    expect(judgeToolOutput(output)).toEqual({ status: 'success', output });
  });

  it.each([
    [say('a'), 'a'],
    [{ content: ['a', 'b'] }, 'a\nb'],
    [
      { content: [{ type: 'resource', resource: { uri: 'notes://1', text: 'a note' } }] },
      'notes://1\na note',
    ],
    [
      { content: [{ type: 'resource_link', uri: 'https://a.example', name: 'more' }] },
      'more https://a.example',
    ],
    [{ content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }, '[image, image/png, not shown]'],
    [{ content: [], structuredContent: { files: ['a'] } }, '{"files":["a"]}'],
    [{ structuredContent: { files: ['a'] } }, '{"files":["a"]}'],
    [{ content: [{ rows: 1 }] }, '{"rows":1}'],
    [{ title: 'a', content: ['b'] }, '{"title":"a","content":["b"]}'],
    [{ hits: ['a'] }, '{"hits":["a"]}'],
    [7, '7'],
  ])('reads %j as %s', (value, output) => {
    expect(judgeToolOutput(value)).toEqual({ status: 'success', output });
  });
});
