"""Words that may, or may never, stand for one another, in English and Chinese."""

from __future__ import annotations

from experience_pack.text.lexicon import word_rows, word_set

CONTRASTS = word_rows(
    """
    prod production live 生产 生产环境 线上 | staging stage 预发 预发布 | dev
    development 开发环境 | test testing 测试环境 | qa | sandbox 沙箱 | local localhost
    本地;
    main master trunk 主干 | develop | release | hotfix;
    english 英文 英语 | chinese 中文 汉语 | french 法语 法文 | german 德语 德文 |
    japanese 日语 日文 | spanish 西班牙语 | korean 韩语 韩文 | russian 俄语 俄文 |
    italian 意大利语 | portuguese 葡萄牙语;
    pdf | csv | xlsx excel | docx word | json | xml | html | markdown | png | jpg jpeg
    | svg | zip | yaml | pptx ppt;
    red 红色 红 | green 绿色 绿 | blue 蓝色 蓝 | yellow 黄色 黄 | black 黑色 黑 |
    white 白色 白 | orange 橙色 | purple 紫色;
    hourly 每小时 | daily 每天 每日 日报 | weekly 每周 周报 | monthly 每月 月报 月度 |
    quarterly 每季度 季报 季度 | yearly annual annually 每年 年报 年度;
    christmas 圣诞 圣诞节 | easter 复活节 | thanksgiving 感恩节 | halloween 万圣节 |
    春节 | 国庆 国庆节 | 中秋 中秋节 | 元旦 | 清明 清明节 | 端午 端午节 | 五一 劳动节
   ;
    linux | windows | macos mac | android 安卓 | ios;
    email 邮件 | sms 短信 | slack | wechat 微信 | phone 电话;
    chrome | firefox | safari | edge;
    aws | azure | gcp;
    mysql | postgres postgresql | sqlite | redis | mongodb;
    """
)
"""Things of one kind; a row's members are never meant for one another."""
SYNONYMS = word_rows(
    """
    doc docs document documents file files 文档 文件 资料 | folder directory 文件夹
    目录 | report reports 报告 报表 | boss manager 老板 经理 领导 | photo photos
    picture pictures image images 照片 图片;
    mail email emails e-mail 邮件 电邮 | meeting call 会议 | app application 应用 | db
    database 数据库 | repo repository 仓库 | log logs 日志 | spending expenses expense
    costs 支出 开支 消费 花费;
    summary overview 摘要 总结 | bug issue 问题 缺陷 | invoice bill 发票 账单 | team
    group 团队 | customer client 客户 顾客 | machine computer pc 电脑 计算机 | job
    task 任务 | website site 网站;
    config configuration settings 配置 设置 | temp temporary 临时 | pics | everyone
    everybody | notification notifications alert alerts 通知 提醒 | info information
    信息;
    send email mail forward share post deliver | show display list print view see |
    create make generate produce build write draft prepare compose | delete remove erase
    wipe purge clear discard trash drop | organise organize tidy arrange sort clean |
    check verify review inspect examine audit test validate | update refresh renew |
    change modify edit alter adjust amend | fetch get retrieve pull download obtain |
    summarise summarize recap sum | calculate compute work count total | book reserve
    schedule plan | move relocate shift migrate transfer | copy duplicate clone |
    reply respond answer | find search look locate | notify alert inform tell message |
    analyse analyze examine study | deploy release publish ship launch roll | fix
    repair mend resolve | pay settle | call phone ring | close shut | start begin launch
    run execute perform | buy purchase order | set configure change | save store keep |
    back backup | restart reboot | assign allocate delegate | merge combine | raise lift
    increase bump | rename relabel | wait sleep pause | open view;
    整理 归整 收拾 归置 | 生成 制作 创建 新建 建立 做 写 编写 撰写 起草 出 | 发送 发 寄
    发给 传
    | 查看 看 查 查询 显示 列出 展示 | 统计 汇总 计算 算 | 修改 改 更改 编辑 调整 | 更新
    刷新 |
    检查 核对 审核 查验 复核 | 总结 汇总 概括 小结 | 预订 订 预约 预定 | 通知 告知 告诉
    提醒 | 修复 修
    解决 | 部署 发布 上线 | 复制 拷贝 | 移动 移 搬 迁移 | 回复 答复 | 查找 搜索 找 检索
    | 删除 删 删掉
    移除 清除 清理 清空 去掉 | 备份 存档 | 打开 开 开启 启用 启动 | 关闭 关 关掉 关上
    停用 | 购买 买 订购
    采购 | 导出 输出 | 转账 转 汇款 打款 | 支付 付 付款 缴 | 设置 设 设定 设为 | 增加
    添加 加 新增 加入 |
    允许 同意 批准 准许 | 提高 调高 增大 调大 | 降低 调低 减小 调小 | 包含 包括;
    """
)
"""Words, verbs too, that may stand for one another."""

LIGHT_VERBS = word_set(
    "turn switch put set make get take do give let go bring keep 做 进行 弄 搞 来"
)
"""Verbs whose meaning lies in the word after them: turn on, put away."""

ENGLISH_VERBS = word_set(
    """
    send copy move transfer convert export import create delete remove archive rename
    merge split deploy build test run start stop restart open close show list print
    email mail share forward upload download sync synchronise synchronize replace swap
    translate pay charge refund assign delegate introduce compare subtract add divide
    multiply backup back restore migrate push pull clone fork compile install
    uninstall enable disable set get fetch generate make write draft prepare produce
    organise organize sort sum summarise summarize analyse analyze calculate compute
    check verify review approve reject book schedule plan cancel order buy sell lend
    give hand deliver ship post publish release notify tell remind invite call message
    update upgrade edit change modify clean tidy arrange find search look fix repair
    attach link connect map redirect route proxy point bind apply append insert
    prepend join concat compress zip extract encrypt sign pour put place store save
    load write read display render draw plot follow teach report escalate promote
    grant subscribe clear wipe erase drop trash discard turn switch launch shut kill
    terminate close bring take pick pull submit file record log
    """
)
"""English verbs that a request may begin with."""
