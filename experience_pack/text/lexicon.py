"""The words that task phrases are cut at, in English and Chinese.

Plain text tables, split once at import: a row is a group, and its place has no
meaning. `KEPT` holds words that contain a function word or a verb by chance.
"""

from __future__ import annotations


def word_set(rows: str) -> frozenset[str]:
    """Give the words of a plain table, whatever its line breaks."""
    return frozenset(rows.split())


def word_rows(rows: str) -> tuple[tuple[frozenset[str], ...], ...]:
    """Give the rows of a table; they end in a semicolon, a bar parts their sides."""
    return tuple(
        tuple(map(word_set, row.split("|"))) for row in rows.split(";") if row.strip()
    )


ENGLISH_FUNCTION_WORDS = word_set(
    """
    a an the this that these those my your our his her its their me you us him it them i
    we he she they
    of to in on at by for from with into onto over and or as be is are was were am been
    please kindly can could would will shall may do does did have has had just also some
    any all
    help want need like let lets there here so then up out about again now
    """
)
"""English words that name neither an action nor a thing."""

CHINESE_FUNCTION_WORDS = word_set(
    """
    帮我 帮忙 帮 请你 请问 请 麻烦你 麻烦 劳烦 劳驾 可以 能不能 可不可以 能否 可否 能
    我想要 我想 我要 我们 你们 他们 我 你 您 他 她 它
    需要 想要 想 要 给我 给 替我 替 为我 为 把 将 对 对于 关于 针对 跟 和 与 及 以及 或
    或者 并 并且 而 在 从 向 往 到 由 于 被 让 使 用 以
    的 地 得 了 着 过 吧 吗 呢 啊 呀 哦 嘛 一下 一些 一个 这个 那个 这些 那些 这 那 所有
    全部 一份 一遍 里面 里 中 内 上的 下的 现在 马上 立刻 立即 顺便 再 就 也 都 还 先
    来 去 是 有 好 好吗 行吗
    """
)
"""Chinese words at which a phrase breaks; they are dropped."""

_MOVING = word_set(
    """
    移 换 改 搬 转 传 寄 运 调 挪 拖 贴 存 写 放 送 交 推 拉 导 拷 迁 降 变 译 派 叠 盖
    复制
    翻译 合并 追加 跳转 映射 覆盖 同步 迁移 移动 转换 替换 转发 发送 提交 导出 导入
    """
)
MOVING_ENDINGS = "到给为入至进住"
"""What a verb of moving may end in: 移到, 发给."""

CHINESE_VERBS = word_set(
    """
    整理 生成 创建 新建 建立 编写 撰写 起草 修改 更新 编辑 删除 移除 清除 清理 清空 增加
    添加 新增 加入 插入 查询 查找 搜索 检索 查看 检查 核对 审核 审查 审批
    分析 统计 汇总 总结 计算 估算 对比 比较 评估 预测 复盘 导出 导入 上传 下载 发送 转发
    回复 提交 发布 部署 上线 下线 回滚 启动 停止 重启 关闭 打开 开启 启用 停用 禁用
    安装 卸载 配置 设置 调整 优化 修复 调试 测试 运行 执行 构建 编译 打包 备份 恢复 还原
    迁移 移动 复制 拷贝 粘贴 剪切 重命名 合并 拆分 压缩 解压 加密 解密 转换 翻译
    提取 解析 归档 分类 标记 排序 筛选 过滤 校对 润色 改写 缩写 压缩到 绘制 制作 设计
    规划 安排 预订 预约 取消 通知 提醒 同步 转账 付款 支付 退款 购买 订购 出售 记录 登记
    允许 禁止 批准 拒绝 订阅 退订 锁定 解锁 邀请 分配 指派 替换 采集 抓取 监控 读取 写入
    打印 扫描 播放 暂停 借 还给 寄 发给 交给 转给 卖给 借给 还
    翻译成 转换成 换成 改成 变成 译成 转成 联系 呼叫
    除以 乘以 加上 减去 包含 包括 排除 显示 隐藏 汇报 升级 降级
    """
) | {verb + ending for verb in _MOVING for ending in MOVING_ENDINGS}
"""Chinese verbs that stand as a word of their own wherever they occur."""

CHINESE_LEADING_VERBS = word_set(
    "写 发 删 改 查 做 算 找 看 开 关 加 建 读 画 订 买 卖 传 转 存"
)
"""One-character verbs: taken as a verb at the beginning of a phrase only."""

CHINESE_KEPT = word_set(
    """
    目的 目的地 的确 地址 地图 地区 地点 地方 得到 得分 了解 过程 过期 过滤器 通过 超过
    能力 能源 功能 性能 可能 智能 节能 要求 重要 主要 需要量 摘要 纪要 概要 要点 想法
    我国 他人 给予 供给 把握 将来 对象 对账 对账单 对话 和平 总和 饱和 共和国 与会 参与
    及时 普及 或许 并行 而且 从事 方向 向量 往来 到期 到账 迟到 由于 用户
    用途 费用 信用 应用 使用 使用率 作用 通用 以前 以后 以上 以下
    中国 中文 中心 中间 集中 内容 内存 国内 公里 里程 在线 存在 上海 再生 再见 就业
    也许 都市 首都 先生 优先 来源 未来 来信 去年 过去 是否 有限 有效 所有权 好友 爱好
    让步 使命 被动 为了 行为 认为 着色 着重
    发票 发现 发展 发生 发言 写作 改革 做法 算法 找零 看板 看法 开发 开会 开户 开支
    开始 开关 关键 关键词 关系 关联 关注 加班 加薪 建议 建筑 读者 读书 画像 订单
    买家 卖家 传真 传感器 转让 存储 存款 查收
    测试版 测试集 测试库 测试环境 生产环境 正式库 成都 大都 京都 翻译机 设计师 分析师
    计算机 编辑器 分类账 记录仪 还款 借款 借条 寄存 用量
    用例 用车 将军 和解 对齐 为期 在职 在途 以色列 地铁 好评 让利 能耗 有色 内部 内网
    里程碑 也门 都江堰 先锋 再版 是非 来电 去重 过敏 过户 得失 了结 地形 地产
    """
)
"""Words that stay whole although a word of the other tables is in them."""
