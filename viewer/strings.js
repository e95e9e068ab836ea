// @ts-check
/** Every text of the viewer: English, then Chinese. `a|b` is one and several. */
const TEXTS = {
  // the page
  experiences: ["{n} experience|{n} experiences", "{n} 条经验"],
  inCategories: ["in {n} category|in {n} categories", "分属 {n} 个类别"],
  written: ["written {date}", "生成于 {date}"],
  loading: ["Opening …", "正在打开…"],
  switchLanguage: ["中文", "English"],
  darkTheme: ["Dark", "深色"],
  lightTheme: ["Light", "浅色"],
  summary: ["Summary", "概览"],
  unreadable: ["This cannot be shown: {reason}", "无法显示：{reason}"],
  newer: ["it was written by a newer release ({version})", "它由更新的版本（{version}）生成"],
  notSnapshot: ["it is not a snapshot document", "它不是快照文档"],

  // summary
  trust: ["How far it may be trusted", "可信程度"],
  onTheirOwn: ["mature enough to act alone", "条已足够成熟，可自行执行"],
  whatAbout: ["What it is about", "涉及的领域"],
  others: ["{n} more category|{n} more categories", "另有 {n} 个类别"],
  uncategorised: ["No categories yet.", "暂无类别。"],
  recent: ["Recent decisions", "最近的决策"],
  noDecisions: [
    "No request has been answered yet. Each one will be listed here with what was decided.",
    "还没有回答过请求。每个请求及其决策都会列在这里。",
  ],
  requestsKept: ["What was asked is not shown here.", "这里不显示具体的请求。"],
  requests: ["{n} request|{n} requests", "{n} 个请求"],
  hidden: ["hidden", "已隐藏"],

  // what happened
  activity: ["What happened", "发生了什么"],
  lastDays: ["The last day|The last {n} days", "最近 {n} 天"],
  saved: ["model call was not needed|model calls were not needed", "次无需调用模型"],
  tokensSaved: ["about {n} token saved|about {n} tokens saved", "约省下 {n} 个 token"],
  budget: ["How often it was wrong", "执行出错的比例"],
  wrong: ["judged execution was wrong|judged executions were wrong", "次经评判的执行有误"],
  wrongAtMost: [
    "observed {share}, at most {bound} with 95 % confidence",
    "观测值 {share}，95 % 置信上限 {bound}",
  ],
  unjudged: [
    "{n} execution, and nobody has judged one yet|{n} executions, and nobody has judged one yet",
    "已执行 {n} 次，尚无人评判",
  ],
  allowed: ["{share} of all requests may be executed wrongly", "允许 {share} 的请求被错误执行"],
  grown: ["How it grew", "增长"],
  grownLabel: ["From {from} to {to} experiences", "从 {from} 条增长到 {to} 条"],
  helped: ["What helped most", "最有帮助的"],
  needed: ["What needs a look", "需要留意的"],
  waiting: ["{n} waits for your word|{n} wait for your word", "{n} 条等待你确认"],
  stale: ["{n} was not used for a season|{n} were not used for a season", "{n} 条已有一季未使用"],
  days: ["{n} day|{n} days", "{n} 天"],
  below: ["Decisions, families, goals", "决策、家族与目标"],
  allDecisions: ["The last decision|The last {n} decisions", "最近 {n} 次决策"],
  allFamilies: ["{n} family as a tree|{n} families as trees", "{n} 个家族（树状）"],
  goals: ["{n} goal|{n} goals", "{n} 个目标"],
  served: ["With", "使用了"],
  skipped: ["Passed over:", "未采用："],
  "factor.kind": ["never answers requests", "从不回答请求"],
  "factor.status": ["put aside", "已搁置"],
  "factor.unreviewed": ["not reviewed yet", "尚未审核"],
  "factor.must_not_match": ["excluded by its tests", "被其测试排除"],
  "factor.delegate_only": ["meant for the model", "须交给模型"],
  "factor.condition": ["its condition does not hold", "条件不成立"],
  "factor.exception": ["its exception applies", "例外适用"],
  "factor.safety": ["not safe enough", "安全性不足"],
  "factor.branch_demoted": ["a better variant leads", "有更好的变体"],
  "factor.too_weak": ["too weak", "过弱"],
  "goal.active": ["being pursued", "进行中"],
  "goal.done": ["reached", "已达成"],
  "goal.dropped": ["given up", "已放弃"],

  // list
  list: ["Experiences", "经验"],
  search: ["Search names, tags, keywords …", "搜索名称、标签、关键词…"],
  searchLabel: ["Search", "搜索"],
  shortcut: ["Press / to search", "按 / 键搜索"],
  allKinds: ["All kinds", "所有类型"],
  allCategories: ["All categories", "所有类别"],
  allLevels: ["All levels", "所有级别"],
  allTags: ["All tags", "所有标签"],
  byScore: ["By confidence", "按置信度"],
  byUpdate: ["By last change", "按更新时间"],
  byName: ["By name", "按名称"],
  byKind: ["By kind", "按类型"],
  kindLabel: ["Kind", "类型"],
  categoryLabel: ["Category", "类别"],
  levelLabel: ["Level", "级别"],
  tagLabel: ["Tag", "标签"],
  sortLabel: ["Order", "排序"],
  found: ["{n} of {total}", "{n} / {total} 条"],
  clear: ["Clear", "清除"],
  nothingFound: [
    "Nothing matches. Try fewer words, or clear the filters.",
    "没有匹配的经验。请减少关键词或清除筛选。",
  ],
  nothingYet: [
    "Nothing has been learned here yet. What is added to the workspace appears in the next snapshot.",
    "这里还没有经验。添加到工作区的内容会出现在下一份快照中。",
  ],
  chooseOne: ["Choose an experience to read it.", "选择一条经验即可阅读。"],
  keys: [
    "↑ ↓ move, Enter opens, / searches, Esc goes back",
    "↑ ↓ 移动，Enter 打开，/ 搜索，Esc 返回",
  ],
  noSuch: ["There is no experience {id} here.", "这里没有经验 {id}。"],

  // detail
  detail: ["Experience", "经验详情"],
  close: ["Close", "关闭"],
  when: ["When", "当"],
  do: ["Do", "就"],
  avoid: ["Avoid", "避免"],
  lesson: ["Lesson", "教训"],
  goal: ["Goal", "目标"],
  steps: ["Steps", "步骤"],
  input: ["In", "输入"],
  expect: ["Expect", "预期"],
  verify: ["Check", "检查"],
  branches: ["Special cases", "特殊情况"],
  if: ["If {condition}", "如果{condition}"],
  why: ["Why", "原因"],
  needs: ["Needs", "需要"],
  takes: ["Takes", "输入项"],
  gives: ["Gives", "输出项"],
  due: ["Due", "触发时机"],
  answer: ["Answer", "回答"],
  workflow: ["Data it asks for", "所需数据"],
  rules: ["Rules", "规则"],
  stops: ["stops it", "时停止"],
  triggers: ["Called for by", "触发语"],
  exemplars: ["Said like this", "常见说法"],
  tests: ["Tried with", "测试请求"],
  references: ["References", "参考"],
  relations: ["Related", "相关经验"],
  evidence: ["Evidence", "依据"],
  notes: ["Notes", "备注"],
  standing: ["Trust earned here", "在此获得的信任"],
  confidence: ["Confidence", "置信度"],
  worked: ["Worked", "成功"],
  workedOf: ["{n} of {total}", "{total} 次中 {n} 次"],
  neverTried: ["not tried yet", "尚未使用"],
  total_usage: ["Used", "使用"],
  times: ["{n} time|{n} times", "{n} 次"],
  last_used: ["Last used", "最近使用"],
  approved: ["Approved here", "已在此批准"],
  may_execute: ["May execute", "可自行执行"],
  status: ["Status", "状态"],
  yes: ["yes", "是"],
  no: ["no", "否"],
  versions: ["History", "历史"],
  firstVersion: ["First version", "初始版本"],
  more: ["and {n} more", "另有 {n} 项"],
  raw: ["Raw JSON", "原始 JSON"],
  origin: ["Where it comes from", "来源"],

  // values
  "kind.reference": ["reference", "参考"],
  "kind.process": ["process", "流程"],
  "kind.result": ["result", "成果"],
  "kind.reflex": ["reflex", "反射"],
  "kind.habit": ["habit", "习惯"],
  "kind.lesson": ["lesson", "教训"],
  "category.document_processing": ["documents", "文档处理"],
  "category.financial_analysis": ["finance", "财务分析"],
  "category.planning": ["planning", "规划"],
  "category.development": ["development", "开发"],
  "category.quantitative": ["figures", "量化"],
  "category.general": ["general", "通用"],
  "level.automatic": ["automatic", "自动"],
  "level.learning": ["learning", "学习中"],
  "level.raw": ["raw", "原始"],
  "level.sleeping": ["sleeping", "休眠"],
  "decision.execute": ["executed", "已执行"],
  "decision.assist": ["assisted", "已辅助"],
  "decision.hint": ["hinted", "已提示"],
  "decision.delegate": ["left to the model", "交给模型"],
  "status.active": ["active", "使用中"],
  "status.sleeping": ["sleeping", "休眠"],
  "status.disabled": ["disabled", "已停用"],
  "status.archived": ["archived", "已归档"],
  "tests.must_match": ["found for", "应匹配"],
  "tests.must_not_match": ["not found for", "不应匹配"],
  "tests.must_not_execute": ["never executed for", "不得执行"],
  "relation.parent": ["variant of", "变体，原型为"],
  "relation.prerequisite": ["needs first", "先需"],
  "relation.extends": ["extends", "扩展"],
  "relation.see_also": ["see also", "另见"],
  "relation.alternative_to": ["alternative to", "可替代"],
  "relation.contradicts": ["contradicts", "与之矛盾"],
  "back.parent": ["has variant", "变体有"],
  "back.prerequisite": ["needed by", "被需要于"],
  "back.extends": ["extended by", "被扩展于"],
  "back.see_also": ["mentioned by", "被提及于"],
  "back.alternative_to": ["alternative to", "可替代"],
  "back.contradicts": ["contradicted by", "被反驳于"],
  "origin.user_confirmed": ["confirmed by a person", "经人确认"],
  "origin.imported_skill": ["imported from a skill", "由技能导入"],
  "origin.auto_compiled": ["compiled from similar work", "由相似工作归纳"],
  "origin.llm_compiled": ["written by a model", "由模型撰写"],
};

/** @typedef {"en" | "zh"} Language */
/** @typedef {Record<string, string | number>} Values */

/**
 * What a view needs to speak one language.
 * @typedef {object} Words
 * @property {Language} language
 * @property {(key: string, values?: Values) => string} say a text of the table
 * @property {(group: string, name: unknown) => string} value a known value's word, or itself
 * @property {(n: number) => string} number
 * @property {(share: number) => string} percent
 * @property {(stamp: unknown) => string} date
 */

/**
 * Choose Chinese for any Chinese tag, English for every other.
 * @param {string} tag
 * @returns {Language}
 */
export function languageOf(tag) {
  return tag.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/**
 * @param {Language} language
 * @returns {Words}
 */
export function wordsFor(language) {
  const column = language === "zh" ? 1 : 0;
  // each takes some milliseconds to make, so only once it is needed
  /** @type {Intl.NumberFormat | undefined} */ let numbers;
  /** @type {Intl.DateTimeFormat | undefined} */ let dates;
  const number = (/** @type {number} */ n) =>
    (numbers ??= new Intl.NumberFormat(language)).format(n);
  /** @type {Words["say"]} */
  const say = (key, values = {}) => {
    const forms = TEXTS[/** @type {keyof typeof TEXTS} */ (key)][column].split("|");
    const form = values.n === 1 ? forms[0] : forms[forms.length - 1];
    return form.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      return typeof value === "number" ? number(value) : String(value);
    });
  };
  return {
    language,
    say,
    number,
    percent: (share) => `${number(Math.round(share * 1000) / 10)} %`,
    value: (group, name) =>
      Object.hasOwn(TEXTS, `${group}.${name}`) ? say(`${group}.${name}`) : String(name),
    date: (stamp) => {
      const time = Date.parse(String(stamp));
      if (Number.isNaN(time)) return String(stamp);
      return (dates ??= new Intl.DateTimeFormat(language, { dateStyle: "medium" })).format(time);
    },
  };
}
