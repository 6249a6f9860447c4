import { describe, expect, it } from 'vitest';
import { parseCommand } from './commands.ts';

describe('parseCommand', () => {
  it.each([
    ['/stop', 'stop'],
    ['Please wait.\n/pause until Monday', 'pause'],
    ['/resume', 'resume'],
    ['Looks right.\n/approve', 'approve'],
    ['/approve\n/stop', 'stop'],
    ['/Stop', 'stop'],
    ['／ｐａｕｓｅ', 'pause'],
    ['/resume\r\n/stop', 'stop'],
    ['```\ncode\n```\n/pause', 'pause'],
    ['```code``` is one line\n/stop', 'stop'],
    ['- ```\n  code\n  ```\n\n/stop', 'stop'],
    ['- ~~~ js\n  code\n  ~~~\n- more\n\n/stop', 'stop'],
    ['1. code:\n\n   ```\n   code\n   ```\n/stop', 'stop'],
    ['What did you do?\n/show-history', 'show-history'],
  ])('finds the command of %j [RL-2]', (body, command) => {
    expect(parseCommand(body)).toBe(command);
  });

  it.each([
    'please /stop',
    ' /stop',
    '/stopping',
    '/stop-it',
    '> /stop',
    '```\n/stop\n```',
    '~~~~ text\n/stop\n~~~\n/stop\n~~~~',
    '`/stop`',
    '```\n/stop',
    '```\n``` js\n/stop\n```',
    '- ```\n/stop\n```',
    '- text\n\n  ```\n  code\n/stop\n  ```',
    '1. ~~~ js\n/stop',
    '- - ````\n/stop\n    ```\n/stop',
    '10) a\n    ```\n/stop',
    '',
  ])('finds none in %j [NX-4]', (body) => {
    expect(parseCommand(body)).toBeNull();
  });
});
