const portal = 'https://discord.com/developers/applications';

/** Texts of the command line, in English. */
export const terminalTextsEn = {
  program: 'Discord bot that answers in threads. The thread is its only memory.',
  run: 'answer messages until stopped',
  doctor: 'check the settings, Discord, and the model, and report what to fix',
  rehearse: 'play a conversation in a channel, check each part, and remove what that created',
  rehearseOptions: {
    channel: 'ID of the text channel (the only one in ALLOWED_CHANNELS)',
    compare: 'compare a rehearsal.json with the simulators instead of rehearsing',
    keep: 'leave everything that the rehearsal creates',
    yes: 'name or ID of the server, as a confirmation',
    output: 'directory of rehearsal.json (the working directory)',
  },
  envFile: 'settings file',
  wrongSettings: 'Invalid settings:',
  /** Each says what is wrong with a line of `.env`. */
  envProblems: {
    'no-equals': () => 'this line has no "=" and is ignored. Write NAME=value.',
    'invalid-name': () =>
      'the text before "=" is not the name of a variable, so this line is ignored. Write NAME=value.',
    'unclosed-quote': (name: string) =>
      `the quote that begins the value of ${name} is never closed. Close it.`,
    'cut-value': (name: string) =>
      `the value of ${name} ends before the "#", which begins a comment. Put the value in quotes.`,
    'text-after-quote': (name: string) =>
      `the text after the closing quote of ${name} is ignored. Remove it.`,
  },
  tokenMissing: `DISCORD_TOKEN is missing. Open ${portal} → your application → Bot → "Reset Token", and write DISCORD_TOKEN=… into .env.`,
  wrongToken: `Discord rejected DISCORD_TOKEN. Open ${portal} → your application → Bot → "Reset Token", and write the new token into .env.`,
  missingIntents: `Discord rejected the connection because "Message Content Intent" is off. Open ${portal} → your application → Bot → "Privileged Gateway Intents", turn on "Message Content Intent", save, and start again.`,
  discordUnreachable: (reason: string) =>
    `Cannot connect to Discord (${reason}). Check the network and https://discordstatus.com, then start again.`,
  stopping: (seconds: number) =>
    `Stopping: answers in progress have ${seconds} s to finish. Press Ctrl-C again to stop at once.`,
  modelUnreachable: (url: string, reason: string) =>
    `Cannot reach a model at ${url} (${reason}). In LM Studio, load a model, then Developer → "Start server" (or run: lms server start). If the model runs elsewhere, set LM_BASE_URL.`,
  addressWithoutPath: (url: string) =>
    `LM_BASE_URL (${url}) has no path. LM Studio serves its API under /v1: try ${url}/v1`,
  settingsOk: 'The settings are valid.',
  loggedIn: (bot: string, servers: number) => `Logged in as ${bot}. Servers: ${servers}.`,
  noServer: (inviteUrl: string) => `The bot is not on any server yet. Invite it: ${inviteUrl}`,
  missingPermissions: (server: string, permissions: string) =>
    `${server}: the bot lacks ${permissions}. Grant this in Server settings → Roles → the bot's role.`,
  channelLacks: (server: string, channel: string, permissions: string) =>
    `${server}, #${channel}: the bot lacks ${permissions} in this channel. If it should answer there, grant this in Edit channel → Permissions.`,
  modelAnswers: (milliseconds: number) => `The model answered in ${milliseconds} ms.`,
  modelFails: (reason: string) => `The model server is running, but the model did not answer: ${reason}.`,
  loadModel: 'Load a model in LM Studio.',
  modelRefusesKey: 'The server requires an API key. Write LM_API_KEY=… into .env.',
  modelTakesLong: 'Loading a large model takes a while. Try again, or increase LM_TIMEOUT_SECONDS.',
  allWell: 'Everything works. To start the bot, run this command without "doctor".',
  toFix: (count: number) => (count === 1 ? '1 problem to fix.' : `${count} problems to fix.`),
};

/** Texts of the command line, in any language. */
export type TerminalTexts = typeof terminalTextsEn;
