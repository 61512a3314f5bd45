// Names by which browser tests find things (data-testid).
export const testid = {
  // start page
  createForm: 'create-form', createTitle: 'create-title', createRules: 'create-rules', create: 'create',
  linkGM: 'link-gm', linkPlayer: 'link-player', linkSpectator: 'link-spectator',
  openDashboard: 'open-dashboard', joinLink: 'join-link', join: 'join', known: 'known', backTo: 'back-to', demo: 'demo',
  // demo fight
  demoPage: 'demo-page', demoSaying: 'demo-saying', demoPause: 'demo-pause', demoStep: 'demo-step', demoAgain: 'demo-again', demoClose: 'demo-close',
  // everywhere
  upgrade: 'upgrade', connection: 'connection', notices: 'notices', announcer: 'announcer', announcerNow: 'announcer-now',
  languageSwitch: 'language', themeSwitch: 'theme',
  round: 'round', order: 'order', stack: 'stack', clock: 'clock', log: 'log', title: 'title', ended: 'ended',
  orderRow: (id: string) => `order-row-${id}`,
  grip: (id: string) => `grip-${id}`,
  groupRow: 'group-row', openGroup: 'open-group', pip: (id: string) => `pip-${id}`,
  lairRow: (id: string) => `lair-row-${id}`,
  initiative: (id: string) => `initiative-${id}`,
  frame: (id: string) => `frame-${id}`,
  // game master
  gm: 'gm', quickAdd: 'quick-add', quickAddButton: 'quick-add-button', addForm: 'add-form', openAddForm: 'open-add-form',
  rollNPCs: 'roll-npcs', missingInitiative: 'missing-initiative', startCombat: 'start-combat', endCombat: 'end-combat',
  resetCombat: 'reset-combat', next: 'next', undo: 'undo', redo: 'redo',
  proposals: 'proposals', proposalAcceptAll: 'proposal-accept-all',
  proposal: (id: string) => `proposal-${id}`, proposalAccept: (id: string) => `proposal-accept-${id}`,
  proposalDismiss: (id: string) => `proposal-dismiss-${id}`, proposalWithdraw: (id: string) => `proposal-withdraw-${id}`,
  select: (id: string) => `select-${id}`, selection: 'selection', hpInput: 'hp-input', addEffect: 'add-effect',
  effectDialog: 'effect-dialog', hide: 'hide', reveal: 'reveal', defeat: 'defeat', restore: 'restore', remove: 'remove',
  duplicate: 'duplicate', edit: 'edit', setActive: 'set-active', surprise: 'surprise', grant: 'grant',
  openSeeAs: 'open-see-as', seeAs: 'see-as', seeAsChoice: (as: string) => `see-as-${as}`, seen: 'seen', seenBack: 'seen-back',
  moveUp: 'move-up', moveDown: 'move-down', moveSaid: 'move-said', several: 'several', clearSelection: 'clear-selection', moreTools: 'more-tools',
  logTools: 'log-tools', logAbout: 'log-about', logKind: 'log-kind', logText: 'log-text', logJson: 'log-json', logOlder: 'log-older', logRound: 'log-round',
  openSight: 'open-sight', sightPanel: 'sight-panel', sight: (audience: string, field: string) => `sight-${audience}-${field}`, hideUntilAct: 'hide-until-act', sightReset: 'sight-reset',
  openEffects: 'open-effects', effectPanel: 'effect-panel', half: (id: string) => `half-${id}`, openMenu: 'open-menu', menu: 'menu', tab: (part: string) => `tab-${part}`,
  makeCode: (role: string) => `make-code-${role}`, shortCode: (role: string) => `short-code-${role}`, openShare: 'open-share', share: 'share', replaceLink: (role: string) => `replace-link-${role}`,
  openSeats: 'open-seats', seats: 'seats', openOptions: 'open-options', options: 'options',
  option: (key: string) => `option-${key}`, optionGroup: (about: string) => `option-group-${about}`, openKeys: 'open-keys', keys: 'keys', pauseClock: 'pause-clock',
  confirm: 'confirm',
  openImport: 'open-import', importDialog: 'import', importPaste: 'import-paste', importFiles: 'import-files', importRead: 'import-read',
  importRow: 'import-row', importFaults: 'import-faults', importAgree: 'import-agree', importAdd: 'import-add', importBack: 'import-back', importDrop: 'import-drop',
  // decisions and windows
  window: 'window',
  closeWindow: 'close-window', pending: (id: string) => `pending-${id}`, pendingRoll: (id: string) => `pending-roll-${id}`,
  pendingDie: (id: string) => `pending-die-${id}`,
  // player
  callCard: 'call-card', callSound: 'call-sound', callVibration: 'call-vibration', callNotifications: 'call-notifications', callDone: 'call-done',
  openSeatMenu: 'open-seat-menu', seatMenu: 'seat-menu', moveSeat: 'move-seat', seatLink: 'seat-link', leaveSeat: 'leave-seat',
  player: 'player', seatForm: 'seat-form', seatName: 'seat-name', takeSeat: 'take-seat', claim: (id: string) => `claim-${id}`,
  character: (id: string) => `character-${id}`, rollInitiative: 'roll-initiative', initiativeDie: 'initiative-die',
  myTurn: 'my-turn', turnsUntilMine: 'turns-until-mine', endTurn: 'end-turn',
  action: (kind: string) => `action-${kind}`, move: 'move', ready: 'ready', delay: 'delay', returnFromDelay: 'return-from-delay', react: 'react', release: 'release',
  reactPrompt: 'react-prompt', reactButton: 'react-button', declineButton: 'decline-button', interrupted: 'interrupted',
  deedDialog: 'deed-dialog', deedSend: 'deed-send', target: (id: string) => `target-${id}`,
  // declarations
  declare: 'declare', declared: (id: string) => `declared-${id}`, plan: (id: string) => `plan-${id}`,
  declareSend: (id: string) => `declare-send-${id}`, withdraw: (id: string) => `withdraw-${id}`,
  hold: 'hold', pass: 'pass', take: 'take',
  // spectator and overlay
  spectator: 'spectator', overlay: 'overlay',
} as const
