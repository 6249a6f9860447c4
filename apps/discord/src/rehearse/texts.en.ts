import type { ServerCheck } from '@agent/rehearsal';

const botSaid = (warnings: string) => (warnings === '' ? '' : ` The bot logged: ${warnings}`);

/** Texts of `agent-discord rehearse`, in English. */
export const en = {
  titles: {
    token: 'token',
    intents: 'message content intent',
    gateway: 'gateway',
    channel: 'channel',
    permissions: 'permissions',
    'model-name': 'name of the model',
    model: 'model',
    clock: 'clock',
    start: 'start of the bot',
    mention: 'mention',
    'fresh-list': 'list of messages',
    reaction: 'reaction',
    thread: 'thread',
    conversation: 'conversation',
    edit: 'edited message',
    deletion: 'deleted message',
    queue: 'messages while the model works',
    crash: 'crash and restart',
    'long-answer': 'long answer',
    'rate-limit': 'rate limits',
    report: 'report',
    'clean-up': 'clean-up',
  } satisfies Record<ServerCheck, string>,

  /** Messages that the user writes. Each contains a marker, by which it is found. */
  messages: {
    mention: (marker: string) => `Rehearsal ${marker}: please answer with the word "ready".`,
    conversation: (marker: string) => `Rehearsal ${marker}: please answer with the word "yes".`,
    original: (marker: string) => `Rehearsal ${marker}: please answer with the word "mango".`,
    edited: (marker: string) => `Rehearsal ${marker}: please answer with the word "papaya".`,
    deleted: (marker: string) => `Rehearsal ${marker}: please answer with the word "durian".`,
    first: (marker: string) => `Rehearsal ${marker}: please answer with the word "one".`,
    second: (marker: string) => `Rehearsal ${marker}: please answer with the word "two".`,
    long: (marker: string) =>
      `Rehearsal ${marker}: please write the numbers from 1 to 600 in figures, ten on each line, and leave out none.`,
  },

  intro: (server: string, channel: string, bot: string) =>
    `Rehearsal in ${server}, #${channel}. The bot is ${bot}; you are the user. Do each step in Discord when it is asked for.`,
  confirm: (server: string, channel: string) =>
    `This posts about ten messages in #${channel} of ${server}, in a thread of their own, and calls the configured model. At the end it deletes what it can.\nType the name of the server to confirm: `,
  confirmNeeded: (server: string) => `Cannot ask for confirmation here. Confirm with --yes "${server}".`,
  notConfirmed: (server: string) => `Not confirmed: the answer is not ${server}. Nothing was changed.`,
  notAnswered: 'Not confirmed. Nothing was changed.',
  channelNeeded:
    'Pass the ID of a text channel with --channel. In Discord: Settings → Advanced → Developer Mode, then right-click the channel → Copy Channel ID.',
  channelInvalid:
    '--channel needs an ID of 17 to 20 digits, and not a name or a token. If you typed a token, reset it: the history of the shell contains it.',
  outputInvalid: (path: string) =>
    `Cannot write into ${path}. Choose an existing directory that is writable with --output. Nothing was changed.`,

  steps: {
    mention: (channel: string, text: string) => `→ In #${channel}, write:\n  ${text}`,
    post: (text: string) => `→ In the thread, write:\n  ${text}`,
    edit: (text: string) => `→ Edit the message that you just wrote. The new text:\n  ${text}`,
    remove: '→ Delete the message that you just wrote.',
  },
  stepNotSeen: 'Discord did not show the step in time',

  tokenAccepted: (bot: string) => `Discord accepts the token of ${bot}`,
  tokenRefused: (reason: string) => `Discord refused the token: ${reason}`,
  notReachable: (reason: string) => `Discord did not answer: ${reason}`,
  intentOn: '"Message Content Intent" is on',
  intentOff: '"Message Content Intent" is off, so the bot cannot read what users write',
  connected: (servers: number) =>
    `the gateway opened a session; the bot is on ${servers} ${servers === 1 ? 'server' : 'servers'}`,
  gatewayLate: (seconds: number) => `the gateway opened no session within ${seconds} s`,
  channelVisible: (server: string, channel: string) => `the bot sees #${channel} of ${server}`,
  channelNotVisible: (id: string) => `the bot sees no channel with the ID ${id}`,
  channelKind: (channel: string) => `#${channel} is not a text or announcement channel`,
  channelNotAllowed: (channel: string) =>
    `#${channel} is not on the lists ALLOWED_SERVERS and ALLOWED_CHANNELS`,
  permitted: (count: number) => `the bot has all ${count} permissions that it uses`,
  notPermitted: (names: string) => `the bot lacks ${names}`,
  modelListed: (name: string) => `the server lists ${name}`,
  modelsListed: (count: number) =>
    `the server lists ${count} ${count === 1 ? 'model' : 'models'}; without LM_MODEL the bot uses the first that can chat`,
  modelNotListed: (name: string, others: string) =>
    others === ''
      ? `the server lists no model, and not ${name}`
      : `the server does not list ${name}. It lists ${others}`,
  noModels: 'the server lists no model, so none is loaded',
  modelsUnknown: 'the server has no list of models',
  modelModule: 'MODEL_MODULE sets the model, so there is no list',
  clockRight: 'the clocks of this machine and Discord agree',
  clockWrong: (seconds: number) => `the clocks of this machine and Discord differ by ${seconds} s`,
  noClock: 'answers of Discord contain no Date header',
  started: (seconds: string) => `the bot connected after ${seconds} s`,
  answered: (seconds: string) => `the bot answered after ${seconds} s`,
  noticeInstead: 'the bot posted a notice instead of an answer',
  otherProcess: 'another process with this token answered',
  notAllowed: 'the bot ignored the message: your account is not on ALLOWED_PEOPLE or ALLOWED_ROLES',
  notMentioned: (bot: string) => `the message does not mention ${bot}`,
  notReceived: 'the bot did not receive the message: it was listed, but the gateway sent no event',
  listFresh: (seconds: string) => `a new message is listed after ${seconds} s`,
  listLate: (seconds: string) => `a new message that the bot received is not listed after ${seconds} s`,
  reacted: 'the bot reacts with 👀',
  notReacted: 'the bot did not react with 👀',
  inThread: 'the answer is in a thread created from the message',
  notInThread: 'the answer is a reply in the channel, because the bot could not create a thread',
  conversationKnown: 'the model received the earlier messages of the thread, and no mention was needed',
  conversationUnknown: 'the model did not receive the earlier messages of the thread',
  editApplied: 'a message edited before its answer is answered with its new text',
  editIgnored: 'the bot did not receive the edit, so it answers the old text',
  deletionApplied: 'a message deleted before its answer is not answered',
  deletionIgnored: 'the bot did not receive the deletion, so it answers a deleted message',
  queued: 'two messages that arrived while the model worked were each answered once, in their order',
  askedTwice: 'the model was asked more than once for the same message',
  wrongOrder: 'two messages were not answered in their order',
  recovered: 'killed and started again; each message was answered once',
  notRecovered: 'after the restart, a message had no answer',
  split: (count: number) => `an answer of more than 2,000 characters was posted in ${count} messages`,
  short: (count: number) => `the model's answer has ${count} characters, so nothing had to be split`,
  limited: (count: number) =>
    `the setting MAX_ANSWER_CHARS (${count}) allows no answer of more than 2,000 characters`,
  noView: 'MODEL_MODULE calls its model directly, so the rehearsal does not see what it receives',
  noHold: 'MODEL_MODULE calls its model directly, so the rehearsal cannot make it wait',
  rateLimit: 'answers contain the number of requests that are left',
  noRateLimit: 'answers contain no rate limit headers',
  limitedRequests: (count: number, seconds: string) =>
    `Discord refused ${count} ${count === 1 ? 'request' : 'requests'} of the bot with 429, with waits of up to ${seconds} s`,
  reported: (count: number) => `each of ${count} messages has one answer`,
  answeredTwice: (count: number) =>
    `${count} ${count === 1 ? 'message has' : 'messages have'} more than one answer`,
  botExited: (problem: string) => `the bot exited: ${problem}`,
  nothingSeen: (seconds: number, warnings: string) =>
    `nothing happened for ${seconds} s.${botSaid(warnings)}`,
  notReached: 'not reached',

  interrupted: 'Interrupted. Removing what the rehearsal created; press Ctrl-C again to exit at once.',
  interruptedKept: 'Interrupted. Nothing is removed, because of --keep.',
  abandoned: 'Exited at once. Not removed:',
  removed: 'everything is removed',
  nothingCreated: 'nothing was created',
  kept: 'nothing was removed, because of --keep',
  keptReason: '--keep',
  leftCount: (count: number) => `${count} ${count === 1 ? 'item stays' : 'items stay'}`,
  leftTitle: 'Not removed:',
  left: {
    thread: 'the thread of the rehearsal',
    archived: 'the thread of the rehearsal (archived, without the messages of the bot)',
    question: 'your message in the channel',
    answer: 'a message of the bot',
    possible: 'messages of the rehearsal, if they were written',
  },
  summary: (passed: number, failed: number, notSupported: number) =>
    `${passed} passed, ${failed} failed, ${notSupported} not supported`,
  notWritten: (reason: string) => `Could not write rehearsal.json: ${reason}`,
  written: (path: string) =>
    `Written to ${path}, without texts, names, addresses and tokens. Attach it to an issue.`,

  fixes: {
    token: 'Open your application → Bot → "Reset Token", and write the new token into DISCORD_TOKEN.',
    intents:
      'Open your application → Bot → "Privileged Gateway Intents", turn on "Message Content Intent", and save.',
    gateway:
      'Check that this machine can open WebSocket connections to gateway.discord.gg, and https://discordstatus.com.',
    channel:
      'Check the ID, invite the bot to the server, and let its role see the channel. "agent-discord doctor" prints the link for the invitation.',
    permissions: "Grant this in Server settings → Roles → the bot's role, or in Edit channel → Permissions.",
    'model-name': 'Set LM_MODEL to a name that the server lists, or load the model in LM Studio.',
    model: 'Run "agent-discord doctor", and check LM_BASE_URL, LM_API_KEY and LM_TIMEOUT_SECONDS.',
    clock:
      'Set the clock of this machine with NTP. The bot uses it to decide which messages are too old for an answer.',
    start: 'Run "agent-discord" with the same settings to see its whole log.',
    mention:
      'Check that nothing between this machine and Discord closes WebSocket connections, and repeat the rehearsal.',
    'fresh-list':
      'Check https://discordstatus.com, and repeat the rehearsal. Until then, answers can lack the newest messages.',
    reaction:
      'Let the role of the bot add reactions in this channel. Without it only the reaction is missing.',
    thread: 'Let the role of the bot create public threads and send messages in threads in this channel.',
    conversation:
      'Let the role of the bot read the message history, and check MAX_THREAD_MESSAGES and MAX_TRANSCRIPT_CHARS.',
    edit: 'Check the network between this machine and Discord: events of the gateway are lost.',
    deletion: 'Check the network between this machine and Discord: events of the gateway are lost.',
    queue: 'Attach rehearsal.json to an issue.',
    crash: 'Check that the role of the bot can read the message history, and that CATCH_UP_MINUTES is not 0.',
    'long-answer': 'Raise MAX_ANSWER_CHARS, and check that the role of the bot can send messages in threads.',
    'rate-limit':
      'Stop other programs that use this token or this address. The bot waits, so answers arrive late but are not lost.',
    report: 'Stop other processes with this token. Otherwise attach rehearsal.json to an issue.',
    'clean-up': 'Remove what is listed below.',
  } satisfies Record<ServerCheck, string>,
  /** Instructions for causes that say more than the check that failed. */
  fixesByCause: {
    botExited:
      'Fix the reason that the bot gives. "agent-discord" with the same settings shows its whole log.',
    notice: 'Fix the reason that the log of the bot gives. The notice in Discord shows what users see.',
    otherProcess: 'Stop the other process of the bot, and repeat the rehearsal.',
    notMentioned: 'Copy the whole text, which begins with the mention, and repeat the rehearsal.',
    notAllowed: 'Add your ID to ALLOWED_PEOPLE, or one of your roles to ALLOWED_ROLES.',
    channelNotAllowed:
      'Choose another channel, or add this one to ALLOWED_CHANNELS and its server to ALLOWED_SERVERS.',
    channelKind: 'Choose a text channel. The bot creates threads only there.',
    step: 'Repeat the rehearsal, and do each step as soon as it is asked for.',
  },
  /** Instructions where a check is not supported. */
  fixesNotSupported: {
    'long-answer': 'Raise MAX_ANSWER_CHARS or LM_MAX_TOKENS, or choose a model that writes longer answers.',
    'rate-limit':
      'A proxy may remove headers. Without them the bot waits only after Discord refused a request.',
    'clean-up':
      'Remove what is listed below, or grant the bot "Manage Threads" and "Manage Messages" in this channel.',
  } as Partial<Record<ServerCheck, string>>,
};

/** Texts of `rehearse` in one language. */
export type RehearsalTexts = typeof en;
