"""Word tables of the guards, in English and Chinese.

A table is data: to teach a guard a word, add it to a row. Chinese entries are
found anywhere in a text, English ones as whole words.
"""

from __future__ import annotations

from experience_pack.text.lexicon import word_rows


def _phrases(lines: str) -> str:
    """Join lines of phrases, which are patterns, into one alternative."""
    return "|".join(line.strip() for line in lines.strip().splitlines())


OPPOSITES = word_rows(
    """
    enable activate on allow permit unblock unmute whitelist start open resume |
    disable deactivate off forbid deny block prohibit ban mute blacklist stop close
    pause suspend;
    start begin launch run boot resume continue restart | stop end halt kill terminate
    pause shut abort quit finish suspend;
    open unlock reopen expand unfold | close lock shut collapse fold;
    add insert append create make include attach new introduce install put | remove
    delete drop exclude detach strip erase omit uninstall purge wipe clear;
    keep retain save preserve store | delete discard remove drop purge erase wipe
    trash;
    install mount plug load | uninstall unmount unplug unload eject remove;
    increase raise grow up more higher max maximum maximise maximize upper above boost
    most larger bigger longer expand extend widen zoom | decrease reduce lower shrink
    down less min minimum minimise minimize below under cut fewest least smaller
    shorter contract shorten narrow;
    upgrade promote advance | downgrade demote rollback revert;
    allow accept approve grant confirm agree | deny reject decline refuse revoke
    disapprove disagree veto;
    show display reveal unhide visible | hide conceal mask hidden invisible;
    connect attach link join pair bind enter | disconnect detach unlink leave unpair
    unbind exit split;
    encrypt encode compress zip lock pack | decrypt decode decompress unzip unlock
    unpack extract;
    upload push export send publish write give post deploy | download pull import
    receive unpublish read take withdraw fetch undeploy;
    buy purchase order hire borrow rent | sell cancel fire lend return refund;
    deposit credit income revenue profit gain earning inflow receivable | withdraw
    debit expense cost loss spending outflow payable;
    subscribe follow like pin star watch register enroll book | unsubscribe unfollow
    dislike unpin unstar unwatch unregister unenroll cancel;
    merge combine join group | split separate divide ungroup;
    first earliest oldest old past ascending asc | last latest newest new future
    descending desc;
    before earlier ago previous | after later next hence following;
    internal inside in private inbound incoming enter | external outside out public
    outbound outgoing leave;
    with including include only | without excluding exclude except;
    left west | right east;
    top north front head start beginning upstream | bottom south back tail end
    downstream;
    win success pass passed successful | lose failure fail failed unsuccessful;
    true yes positive good healthy valid | false no negative bad unhealthy invalid;
    online active live available | offline inactive archived unavailable;
    archive | unarchive restore;
    backup back | restore;
    undo | redo;
    read paid done completed resolved | unread unpaid pending incomplete unresolved;
    manual | automatic automatically auto;
    sync synchronous | async asynchronous;
    full all every everything | empty none partial some;
    fast speed faster accelerate | slow slower decelerate;
    light bright brighter | dark dim darker;
    hot warm heat heating warmer | cold cool cooling cooler;
    arrive arrival | depart departure;
    mark | unmark;
    check tick select | uncheck untick deselect unselect;
    开启 启用 打开 开 激活 启动 允许 解禁 恢复 | 关闭 停用 禁用 关 关掉 停止 停 暂停
    禁止 封禁 熄灭 注销;
    启动 开始 运行 继续 恢复 重启 开机 | 停止 结束 终止 暂停 中止 停掉 关机 关停 叫停
   ;
    增加 添加 新增 加入 加 插入 追加 创建 新建 建立 添置 补充 | 删除 移除 减少 去掉
    删掉 删 清除 清空 撤掉 剔除 销毁 拿掉 减;
    保留 保存 留下 收藏 | 删除 丢弃 清除 清空 移除 扔掉 取消收藏;
    上线 上架 发布 公开 部署 | 下线 下架 撤回 撤下 私密 隐藏;
    允许 批准 同意 通过 接受 放行 授权 授予 准许 采纳 | 禁止 拒绝 拒 拒批 驳回 否决 拦截
    撤销
    收回 不准 拒收;
    提高 增加 上调 调高 升高 增大 扩大 放大 加快 加速 延长 涨 增长 上升 升级 提升 变大
    扩容 加强 调大 调快 升 加长 提前 拉高 增
    | 降低 减少 下调 调低 减小 缩小 减慢 减速 缩短 放慢 放缓 调慢
    跌 下降 降级 削减 变小 缩容 减弱 调小 降 推迟 延后 拉低 减;
    包含 包括 计入 纳入 含 | 排除 不含 剔除 除去 除外;
    显示 展开 公开 可见 | 隐藏 收起 折叠 保密 不可见;
    锁定 上锁 加锁 冻结 | 解锁 开锁 解冻;
    加密 压缩 打包 编码 | 解密 解压 解包 解码;
    上传 导出 发送 推送 提交 写入 寄出 发出 | 下载 导入 接收 拉取 撤回 读取 收取 收到
   ;
    买入 购买 买 购入 采购 订购 | 卖出 出售 卖 售出 退货 退订;
    借入 借来 存入 收入 进账 盈利 赚 应收 入库 贷方 | 借出 归还 取出 支出 出账 亏损 亏
    应付 出库 借方;
    订阅 关注 收藏 预订 预约 报名 置顶 点赞 登记 注册 | 退订 取关 取消 取消关注
    取消订阅 取消预约 注销;
    合并 合 汇合 | 拆分 分割 拆 分离 分开;
    安装 装上 加载 挂载 插入 | 卸载 拆掉 拔出 弹出 拆卸;
    连接 接通 绑定 接入 联网 | 断开 切断 解绑 断网;
    登录 签到 进入 入职 加入 上班 | 退出 登出 签退 离开 离职 下班;
    最大 最高 最多 最长 最早 最好 第一 首 | 最小 最低 最少 最短 最晚 最差 最后 末 最新
   ;
    升序 正序 从小到大 | 降序 倒序 从大到小;
    之前 以前 前 早于 月初 年初 开头 | 之后 以后 后 晚于 月末 月底 年末 年底 结尾 末尾
   ;
    以上 高于 大于 超过 上面 上方 上 多于 | 以下 低于 小于 不足 下面 下方 下 少于;
    内部 里面 内 国内 境内 | 外部 外面 外 国外 境外;
    左 左边 左侧 东 东部 | 右 右边 右侧 西 西部;
    南 南部 | 北 北部;
    成功 合格 通过 正常 有效 盈余 | 失败 不合格 异常 无效 赤字;
    公开 公共 公网 | 私有 私密 内网;
    已读 已付 已完成 已处理 已解决 | 未读 未付 未完成 未处理 未解决;
    静音 屏蔽 拉黑 | 取消静音 解除屏蔽 解除静音;
    手动 人工 | 自动;
    全部 所有 全量 | 部分 增量 一部分;
    备份 归档 | 还原 恢复 取消归档;
    撤销 | 重做;
    加热 升温 制热 | 冷却 降温 制冷;
    变亮 调亮 浅色 | 变暗 调暗 深色;
    男 | 女;
    fill load | empty drain unload;
    lengthen prolong | shorten;
    widen broaden | narrow;
    strengthen reinforce | weaken;
    inflate | deflate; tighten fasten | loosen unfasten; wrap | unwrap; wake | sleep;
    raise lift sound | silence drop; trust | distrust; encourage | discourage;
    build construct create | demolish destroy dismantle; attract | repel;
    admit | expel; engage | disengage; float | sink; remember | forget; gain | lose;
    grow | shrink; lead | follow; obey | disobey; occupy | vacate; reward | punish;
    save | spend waste; gather collect | scatter disperse; tie | untie; thaw | freeze;
    clean | dirty soil; wet | dry; early | late; heavy | light; cheap | expensive;
    strong | weak; required mandatory | optional; local | remote; loud | quiet;
    permanent | temporary; horizontal | vertical; odd | even; major | minor;
    buyer | seller; sender | recipient receiver; source | destination target;
    input | output; inner | outer; front | rear back; clockwise | counterclockwise
    anticlockwise; forward forwards | backward backwards reverse; ascend | descend;
    deep | shallow; single | double; import | export; summer | winter; day | night;
    紧 拧紧 | 松 拧松; 满 装满 | 空 放空 倒空; 穿 穿上 | 脱 脱下; 开通 | 取消 关停;
    赞同 | 反对; 唤醒 | 休眠; 建造 | 拆除; 创建 | 销毁; 奖励 | 惩罚; 节省 | 浪费;
    乘 | 除; 记住 | 忘记; 湿 | 干; 必填 | 选填; 横 | 竖; 奇数 | 偶数; 顺时针 | 逆时针;
    前进 | 后退; 输入 | 输出; 夏 | 冬; 贵 | 便宜; 强 | 弱; 深 | 浅; 重 | 轻; 硬 | 软;
    集中 | 分散; 增强 | 减弱; 充电 | 放电; 起飞 | 降落; 上车 | 下车; 鼓励 | 劝阻;
    本地 | 远程; 永久 | 临时; 买家 | 卖家;
    大 多 高 长 快 新 早 热 好 亮 宽 | 小 少 低 短 慢 旧 晚 冷 坏 暗 窄;
    进 入 买 | 出 卖;
    推 发 | 拉 收;
    招聘 录用 聘用 雇用 | 解雇 辞退 裁员 开除;
    入住 | 退房;
    充值 付款 支付 缴纳 | 提现 退款 收款;
    点亮 亮灯 | 熄灭;
    赞成 支持 | 反对;
    信任 | 不信任;
    """
)
"""Pairs of opposite sides; a word may stand in several rows."""
REVERSING_PREFIXES = ("un", "dis", "de", "in", "im", "non", "ir", "il", "mis")
"""English prefixes that turn a word into its opposite (`subscribe`)."""
NOT_NEGATIVE = _phrases(
    r"""
    don't forget|do not forget|don't hesitate|do not hesitate|why don't you
    why don't we|why not
    can't you|couldn't you|won't you|wouldn't you|if you don't mind|if you do not mind
    wouldn't mind
    not only|no problem|no worries|no rush|no hurry|whether or not|no doubt
    don't worry
    if it's not too much trouble|if it isn't too much trouble|if you're not busy
    if you are not busy
    if you aren't busy|no later than|no\. ?(?=\d)|can't wait|nothing fancy
    don't be shy
    能否|可否|能不能|可不可以|是不是|好不好|行不行|要不要|会不会|有没有|方不方便|该不该|值不值得
    应不应该|不妨|不错|不仅|不但|不同
    不断|不久|不少|不好意思|不得不|差不多|对不起|了不起|别忘了?记?|不要忘了?记?|别客气
    不客气|没问题|没关系
    没事|无论|无线|无锡|无人机|非常|非洲|未来|别的|别人|别名|特别|区别|级别|类别|性别
    个别|分别|告别|识别
    鉴别|辨别|是否|否则|莫名|莫斯科|毫不犹豫|不麻烦的话|不忙的话|免费|免税|不动产
    不锈钢|不等式|要不是
    """
)
"""Phrases with a negative word that negate nothing."""
NEGATIVE = _phrases(
    """
    not|never|no|without|none|neither|nor|cannot|avoid|avoiding|refrain|skip
    skipping|except|excluding
    unless|instead of|rather than|leave out|hold off|stop|cancel|abort|ignore|forget
    never mind|nobody
    nothing|nowhere|leave .{1,30} alone|keep .{1,20} from|quit|anything but|far from
    prevent|oppose|against
    免了|算了|罢了|作罢|拉倒|再说吧
    forbid|forbids|forbidden|prohibit|prohibited|banned
    needless|unnecessary|pointless|by no means
    don't|dont|doesnt|didnt|wont|cant|shouldnt
    不|别|勿|莫|没|未|无|非|否|甭|休|禁止|避免|免得|以免|除了|除外|取消|停止|放弃|拒绝
    谢绝|省略|跳过|忽略|排除|禁|严禁|防止|杜绝|反对|撤销|略过|免去|停下
    """
)
"""Words that take back what they stand with."""
NOT_MENTION = _phrases(
    """
    why don't you|why don't we|why not|说明书?|说服|说法|小说|传说|问题|问卷|问候|问答
    访问|顾问|请问|疑问|慰问|学说
    怎么样都行|告诉我|提醒我|提醒一下|tell me|remind me|ask me|how about
    """
)
"""Phrases with a word of mention that are part of a plain request."""
MENTION = _phrases(
    r"""
    what (?:do|does|did|is|are|was|were)\b.{0,60}\b(?:mean|meaning|stand for|for)
    what happens|what happened
    meaning|means?|definition|define|translate|translation|translated|explain|explains
    explanation|spell|pronounce
    rephrase|paraphrase|proofread|grammar|grammatical|synonyms?|how|why|who|whose
    (?:when|where) (?:did|do|does|was|were|is|are|will|should)
    said|says|say|saying|told|tells|tell|asked|asks|ask|asking|wrote|writes|mentioned
    mentions|mention|claims?|claimed
    suggested|suggests|reported|quoted?|quotes|quoting|announced|complained|warned
    heard|hears|according to|reads|states|stated|replied
    shouted|commented|recommends?|recommended|advised|advises|insists?|insisted
    demanded|demands|believes?|thinks|thought|rumou?rs?
    overheard|noted|joked|whispered|proposed|promised|refers?|referred|describes?
    described|teaches|taught|instructs
    the (?:word|words|phrase|term|command|expression|sentence|string)
    the (?:title|headline|label|button|slogan|heading|saying|line)
    the (?:text|lyrics?|prompt|instruction|option|error)
    example|examples|e\.g\.|history of|tutorial|article|blog|essay|poem|song|story
    joke|novel|lesson|lecture|documentation|movie|film|book
    already|last time|once|used to|remind|reminds|reminded|subject line|caption
    autocorrect|typo|wording|tone
    (?<![\w'])(?:did|has|have|had|was) (?:you|we|i|he|she|they|it)
    (?<![\w'])(?:did|has|have|had|was) (?:someone|anyone|anybody|the|my|our|this|that)
    (?<![\w'])(?:were|is|are|does|do) (?:you|we|i|he|she|they|it)
    (?<![\w'])(?:were|is|are|does|do) (?:someone|anyone|anybody|the|my|our|this|that)
    he|she|they
    ^(?:he|she|they|someone|somebody|everyone)
    ^(?:i|we) (?!want|need|would|'d|d like|like|must|have to|wish|beg|request|hope)
    ^(?:everybody|nobody|people|users?|customers?|yesterday)
    哪个|哪些|哪种|哪里|哪位|规定|老说|总说
    多久|多长时间|多少钱|近义词|同义词|反义词|缩写
    什么意思|啥意思|意思|含义|定义|是什么|是啥|翻译|译成|译为|解释|怎么|如何|怎样|咋
    为什么|为何|为啥|干嘛|谁|何时|什么时候
    说|讲过|讲的|问|提到|提及|提起|写道|写着|写的是|听说|据说|传言|所谓|这个词|这句
    一词|短语|句子|口号|标语|标题|叫做|念作|读作|拼写
    例如|比如|举例|例子|造句|润色|校对|引用|转述|复述|了吗|过吗|了没|已经|刚才|刚刚
    曾经|上次|提醒|告诉|叮嘱|吩咐|要求过|建议过|建议说
    教程|历史|故事|新闻|诗|歌|段子|笑话|小说|文章|电影|课程|讲座|病句|语法|措辞|语气
    歌词|台词|命令叫|这条命令|这个命令|这个按钮|指令是|字样|喊|吐槽|抱怨|宣布|声称
    回答|回复说|认为|觉得|区别
    """
)
"""Words that speak about a request, or of somebody else's, instead of making it."""
NOT_HYPOTHETICAL = _phrases(
    """
    if (?:at all )?possible|if you can|if you could|if you (?:do not|don't) mind
    if you have (?:time|a moment|a minute|a second)|if you would
    if you please|if you like|if needed|if necessary
    if it's (?:ok|okay|fine|alright|all right)
    if that's (?:ok|okay|fine|alright|all right)|if it's not too much trouble
    if it isn't too much trouble|if you're not busy|if you are not busy
    if you aren't busy|if you're free|if you are free
    if it is(?:n't| not) too much trouble
    i was wondering if you (?:could|would|can)|i wonder if you (?:could|would|can)
    i would (?:like|love|appreciate)|i'd (?:like|love|appreciate)|we would like
    we'd like
    would you mind|would you please|would you kindly|would you|could you possibly
    would be (?:great|nice|lovely) if you (?:could|would)
    it would be (?:great|nice|lovely)|be so kind
    如果可以的话|如果可以|如果方便的话|如果方便|如果有空的话|如果有空|如果有时间
    方便的话|可以的话|有空的话|要是方便|若方便|若有空|要是有空|如果不麻烦的话
    如果不麻烦|不麻烦的话|不忙的话
    如果没问题|没问题的话|尽可能|考虑到|可能的话|能不能|可不可以|能否|可否|方便时|若干
    """
)
"""Polite phrases that only sound conditional."""
HYPOTHETICAL = _phrases(
    """
    if|suppose|supposing|imagine|imagining|assuming|assume|hypothetically|hypothetical
    let's say|in theory|theoretically
    were|would|might|maybe|perhaps|someday|some day|one day|wish|wishes|pretend
    in case|whether|wonder|wondering|wonders
    should (?:i|we|you|one|he|she|they|the|it|anyone)|thinking|considering|consider
    considered|planning|plan to|plans to|going to|about to|wanted to|was going|almost
    nearly
    could have|should have|would've|should've|could've|provided that|in the event
    eventually|possibly|not sure|unsure|ought|dream|dreamt|dreamed|ideally|scenario
    thought experiment
    (?:i|we|you|he|she|they) (?:may|could)|may want|can (?:i|we)|could (?:i|we)
    is it (?:ok|okay|safe|wise|possible|worth|a good idea|better|allowed)|would it
    worth|debating|tempted|hesitating|undecided|deciding|decide
    as though|as if|unless|otherwise|even if|for argument's sake
    for the sake of argument|conceivably|potentially|had (?:i|we|you|they)|what about
    intend|intends|intending|intended
    (?:one|anyone|someone|people) (?:could|might|may|can)
    好不好呢|行不行呢|^(?!.*(?:能|可以|可否|方便|麻烦|请|帮)).*吗[?]?$
    等.{1,8}再
    如果|假如|假设|假使|假定|假若|要是|倘若|倘使|若|万一|设想|想象|试想|会怎样
    会怎么样|会如何|会发生|会不会|该不该|应不应该|要不要|应该|是否|是不是|值不值得
    值得|考虑|打算|盘算|也许|可能|或许|说不定
    将来|以后再|有一天|有朝一日|某天|哪天|理论上|原则上|本来|本想|原本|原想|差点
    早知道|要不是|犹豫|在想|想过|想着|恐怕|大概会|好像|的话|一旦|即使|就算|哪怕|除非
    只要|梦见|梦到|幻想|到时候|但愿|希望当初|当初|比方|纠结|琢磨|不确定|拿不准
    还没决定|没想好|有必要|可以吗|行吗|好吗|合适吗|安全吗
    """
)
"""Words of what might be, could have been, or is still being thought over."""
COURTESIES = _phrases(
    """
    thanks|thank you|cheers|asap|as soon as possible|quickly|right away|straight away
    when you (?:can|get a chance|have (?:time|a moment|a minute))|for me|if possible
    (?:be )?able to|make sure (?:to|you)|help me(?: to)?|again|quick|just|simply
    hi|hello|hey|ok|okay|sure|kindly|a favou?r|one more time|real quick|go ahead and
    i was wondering if you|it would be (?:great|nice|lovely) if you|be so kind|mind
    谢谢你?|多谢|辛苦了?|拜托了?|尽快|赶紧|赶快|顺手|你好|您好|嗨|大家好|方便|有空|有时间|如果|要是
    的话|没问题|不麻烦|别忘了?记?|不要忘了?记?|好不好|行不行|可不可以|能不能|能否|可否|不妨
    """
)
"""Phrases of courtesy; they add nothing to what is asked."""
